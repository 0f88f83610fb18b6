import type { ReactNode } from "react";
import { Button } from "@/ui/Button";

interface EmptyProps {
  title: string;
  /** What to do about it. */
  children?: ReactNode;
}

/** An empty list, said in words. */
export function EmptyState({ title, children }: EmptyProps) {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-line border-dashed px-6 py-14 text-center">
      <p className="font-semibold text-lg">{title}</p>
      {children && <div className="max-w-prose text-muted">{children}</div>}
    </div>
  );
}

interface ErrorProps {
  /** What failed, e.g. "The phones could not be loaded." */
  message: string;
  onRetry: () => void;
  busy?: boolean;
}

/** A failure in place, with a way to try again. */
export function ErrorState({ message, onRetry, busy }: ErrorProps) {
  return (
    <div
      role="alert"
      className="grid justify-items-center gap-4 rounded-lg border border-danger bg-danger-soft px-6 py-10 text-center"
    >
      <p className="font-medium text-danger">{message}</p>
      <Button variant="secondary" busy={busy} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
