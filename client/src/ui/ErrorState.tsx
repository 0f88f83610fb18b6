import * as t from "@/texts/ui";
import { Button } from "@/ui/Button";
import type { Elements } from "@/ui/Elements";

interface Props {
  /** What failed, e.g. "The phones could not be loaded." */
  message: string;
  onRetry: () => void;
  busy?: boolean;
  /** What else can be done. */
  children?: Elements;
}

/** An error message in place of the content, with a retry button. */
export function ErrorState({ message, onRetry, busy, children }: Props) {
  return (
    <div
      role="alert"
      className="grid justify-items-center gap-4 rounded-lg bg-danger-soft px-6 py-10 text-center"
    >
      <p className="font-medium text-danger">{message}</p>
      <Button variant="secondary" busy={busy} onClick={onRetry}>
        {t.tryAgain}
      </Button>
      {children}
    </div>
  );
}
