import { Component, type ReactNode, useCallback, useEffect, useState } from "react";
import { isFileMissing, reloadIfReachable } from "@/app/screenFiles";
import { useSignOut } from "@/features/auth";
import * as t from "@/texts/layout";
import { tryAgain } from "@/texts/ui";
import { Button, useTitle } from "@/ui";

interface Props {
  /** The current path; the error is cleared when it changes. */
  path: string;
  children: ReactNode;
}

/** Shows the route error page in place of a screen that failed to render. */
export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate(before: Props) {
    if (before.path !== this.props.path && this.state.error) this.setState({ error: null });
  }

  override render() {
    const { error } = this.state;
    return error ? <ErrorPage error={error} /> : this.props.children;
  }
}

/** The specification's error page; of a screen whose file could not be loaded, with a way to try again. */
function ErrorPage({ error }: { error: Error }) {
  const signOut = useSignOut();
  useTitle(t.wentWrong);
  const mayTryAgain = isFileMissing(error);
  return (
    <section role="alert" className="mx-auto grid max-w-xl justify-items-center gap-5 px-4 py-24 text-center">
      <h1 className="font-extrabold text-3xl">{t.wentWrong}</h1>
      <p className="wrap-anywhere text-danger">{error.message}</p>
      {mayTryAgain && <TryAgain />}
      <Button variant={mayTryAgain ? "quiet" : "primary"} onClick={signOut}>
        {t.signOut}
      </Button>
    </section>
  );
}

/** Loads the page again when the server can be reached: at a press of the button, or when the browser is online. */
function TryAgain() {
  const [isBusy, setBusy] = useState(false);
  const retry = useCallback(async () => {
    setBusy(true);
    if (!(await reloadIfReachable())) setBusy(false);
  }, []);
  useEffect(() => {
    window.addEventListener("online", retry);
    return () => window.removeEventListener("online", retry);
  }, [retry]);
  return (
    <>
      <p>{t.screenNotLoaded}</p>
      <Button busy={isBusy} onClick={() => void retry()}>
        {tryAgain}
      </Button>
    </>
  );
}
