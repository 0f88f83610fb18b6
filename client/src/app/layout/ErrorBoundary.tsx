import { Component, type ReactNode } from "react";
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
    if (before.path !== this.props.path && this.state.error) this.renderAgain();
  }

  private readonly renderAgain = () => this.setState({ error: null });

  override render() {
    const { error } = this.state;
    return error ? <ErrorPage error={error} onRetry={this.renderAgain} /> : this.props.children;
  }
}

/** The specification's error page, with a way to try again. */
export function ErrorPage({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const signOut = useSignOut();
  useTitle(t.wentWrong);
  return (
    <section role="alert" className="mx-auto grid max-w-xl justify-items-center gap-5 px-4 py-24 text-center">
      <h1 className="font-extrabold text-3xl">{t.wentWrong}</h1>
      <p className="wrap-anywhere text-danger">{error.message}</p>
      <Button onClick={onRetry}>{tryAgain}</Button>
      <Button variant="quiet" onClick={signOut}>
        {t.signOut}
      </Button>
    </section>
  );
}
