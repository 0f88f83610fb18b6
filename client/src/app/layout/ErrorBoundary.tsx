import { Component, type ReactNode } from "react";
import { useSignOut } from "@/features/auth";
import { Button } from "@/ui";

/** Shows the route error page in place of a screen that failed to render. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state as { error: Error | null };
    return error ? <ErrorPage message={error.message} /> : this.props.children;
  }
}

function ErrorPage({ message }: { message: string }) {
  const signOut = useSignOut();
  return (
    <section role="alert" className="mx-auto grid max-w-xl justify-items-center gap-5 px-4 py-24 text-center">
      <h1 className="font-bold text-4xl">Something went wrong</h1>
      <p className="text-danger">{message}</p>
      <Button onClick={signOut}>SignOut</Button>
    </section>
  );
}
