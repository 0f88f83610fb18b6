import type { ReactNode } from "react";
import { Button, type ButtonVariant } from "@/ui/Button";
import { cx } from "@/ui/cx";

interface Props {
  onPress: () => void;
  busy: boolean;
  /** The result of the action; shown below the button. */
  result: { message: string; isError: boolean } | null;
  variant?: ButtonVariant;
  size?: "sm" | "md";
  children: ReactNode;
}

/** A button that shows the result of its action. */
export function ActionButton({ onPress, busy, result, variant = "secondary", size, children }: Props) {
  return (
    <div className="grid justify-items-start gap-2">
      <Button variant={variant} size={size} busy={busy} onClick={onPress}>
        {children}
      </Button>
      <p
        role="status"
        className={cx("text-sm wrap-anywhere empty:sr-only", result?.isError ? "text-danger" : "text-ok")}
      >
        {result?.message}
      </p>
    </div>
  );
}
