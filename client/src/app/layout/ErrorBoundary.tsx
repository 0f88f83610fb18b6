import { Component, type ReactNode } from "react";
import { useSignOut } from "@/features/auth";
import * as t from "@/texts/layout";
import { Button } from "@/ui";

interface Props {
  /** The current path; the error is cleared when it changes. */
  place: string;
  children: ReactNode;
}

/** Shows the route error page in place of a screen that failed to render. */
export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate(before: Props) {
    if (before.place !== this.props.place && this.state.error) this.setState({ error: null });
  }

  override render() {
    const { error } = this.state;
    return error ? <ErrorPage message={error.message} /> : this.props.children;
  }
}

function ErrorPage({ message }: { message: string }) {
  const signOut = useSignOut();
  return (
    <section role="alert" className="mx-auto grid max-w-xl justify-items-center gap-5 px-4 py-24 text-center">
      <h1 className="font-extrabold text-3xl">{t.wentWrong}</h1>
      <p className="text-danger">{message}</p>
      <Button onClick={signOut}>{t.signOut}</Button>
    </section>
  );
}
