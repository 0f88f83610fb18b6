import type { ComponentProps } from "react";
import { cx } from "@/ui/cx";

interface Props extends Omit<ComponentProps<"button">, "aria-label"> {
  /** The accessible name, also shown as a tooltip. */
  label: string;
}

/** A round button with only an icon as its child. */
export function IconButton({ label, className, type = "button", ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={cx(
        "inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted",
        "transition-colors hover:bg-sunk hover:text-ink",
        className,
      )}
    />
  );
}
