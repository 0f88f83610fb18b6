import type { ReactNode } from "react";
import { cx } from "@/ui";

interface LabelProps {
  className?: string;
  /** Whether it gets the focus of a button that it replaces. */
  isFocusable?: boolean;
  children: ReactNode;
}

/** The label in the place of Book Now; as high as the button, with two lines too. */
export function Label({
  className = "border-transparent bg-accent-soft text-accent",
  isFocusable = true,
  children,
}: LabelProps) {
  return (
    <span
      tabIndex={isFocusable ? -1 : undefined}
      className={cx(
        "grid min-h-11 min-w-0 place-content-center justify-items-center rounded-md border px-1 text-center font-bold",
        className,
      )}
    >
      {children}
    </span>
  );
}

/** The second line of a label, as classes. */
export const SECOND_LINE = "whitespace-nowrap font-semibold text-xs/4";

/** The two lines of a label. */
export function TwoLines({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <>
      <span className="@max-3xs:text-xs/4 text-sm/5">{first}</span>
      <span className="sr-only">, </span>
      <span className="contents">{second}</span>
    </>
  );
}
