import type { ReactNode } from "react";
import * as t from "@/texts/ui";
import { Button } from "@/ui/Button";
import { PhoneIcon } from "@/ui/icons";

interface EmptyProps {
  title: string;
  /** What to do about it. */
  children?: ReactNode;
}

/** An empty list, said in words. */
export function EmptyState({ title, children }: EmptyProps) {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg bg-sunk px-6 py-16 text-center">
      <Rings />
      <p className="font-bold text-xl">{title}</p>
      {children && <div className="max-w-prose text-muted">{children}</div>}
    </div>
  );
}

/** A ring that nobody answers: the mark of what is not there. */
function Rings() {
  return (
    <span aria-hidden="true" className="relative mb-2 grid size-24 place-items-center text-muted">
      <span className="absolute inset-0 rounded-full border border-line" />
      <span className="absolute inset-3 rounded-full border border-edge opacity-50" />
      <PhoneIcon className="size-9" />
    </span>
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
      className="grid justify-items-center gap-4 rounded-lg bg-danger-soft px-6 py-10 text-center"
    >
      <p className="font-medium text-danger">{message}</p>
      <Button variant="secondary" busy={busy} onClick={onRetry}>
        {t.tryAgain}
      </Button>
    </div>
  );
}
