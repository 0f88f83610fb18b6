import type { ComponentProps } from "react";
import { cx } from "@/ui/cx";

/**
 * `primary` for the main action of a section, `quiet` for rare actions, `danger` for a button that opens a
 * confirmation, `alarm` for the confirmation itself. On a dark background `signal` and `ghost` replace `primary` and
 * `secondary`.
 */
export type ButtonVariant = "primary" | "signal" | "secondary" | "ghost" | "quiet" | "danger" | "alarm";

interface ButtonStyle {
  variant?: ButtonVariant;
  size?: "sm" | "md" | "lg";
}

const variants: Record<ButtonVariant, string> = {
  primary: "border-transparent bg-brand text-on-brand hover:bg-brand-strong",
  signal: "border-transparent bg-signal text-on-signal hover:bg-signal-strong",
  ghost: "border-on-deep-muted bg-transparent text-on-deep hover:bg-deep-raised",
  secondary: "border-edge bg-surface text-ink hover:border-brand hover:text-brand",
  quiet: "border-transparent bg-transparent text-muted hover:bg-sunk hover:text-ink",
  danger: "border-line bg-transparent text-danger hover:border-danger hover:bg-danger-soft",
  alarm: "border-transparent bg-danger text-on-danger hover:opacity-90",
};

const sizes = {
  sm: "min-h-9 px-3.5 py-1 text-sm",
  md: "min-h-11 px-5 py-2",
  lg: "min-h-13 px-7 py-3 text-lg",
};

/** The classes of a button, for links that look like one. */
export function buttonClass({ variant = "primary", size = "md" }: ButtonStyle = {}): string {
  return cx(
    "inline-flex items-center justify-center gap-2 rounded-md border font-semibold transition-colors active:translate-y-px",
    "disabled:cursor-not-allowed disabled:opacity-60",
    sizes[size],
    variants[variant],
  );
}

interface Props extends ComponentProps<"button">, ButtonStyle {
  /** Disables the button and sets aria-busy; the label stays. */
  busy?: boolean;
}

/** A real `<button>`; `type` is "button" by default. */
export function Button({ variant, size, busy = false, className, type = "button", ...rest }: Props) {
  const { disabled = false, children, ...attributes } = rest;
  return (
    <button
      {...attributes}
      type={type}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cx(buttonClass({ variant, size }), className)}
    >
      {busy && (
        <span
          aria-hidden="true"
          className="size-4 animate-spin rounded-full border-2 border-current border-e-transparent"
        />
      )}
      {/* A wrapper that takes no part in the layout. */}
      <span className="contents">{children}</span>
    </button>
  );
}
