import type { ReactNode } from "react";
import { cx } from "@/ui/cx";

const tones = {
  neutral: "bg-sunk text-ink",
  brand: "bg-brand-soft text-brand",
  ok: "bg-ok-soft text-ok",
  warn: "bg-accent-soft text-accent",
  danger: "bg-danger-soft text-danger",
};

interface Props {
  tone?: keyof typeof tones;
  className?: string;
  /** What it means; a tooltip. */
  title?: string;
  children: ReactNode;
}

/** A short label with a background colour. */
export function Badge({ tone = "neutral", className, title, children }: Props) {
  return (
    <span
      title={title}
      className={cx(
        "inline-flex items-center gap-1 whitespace-nowrap rounded-full px-2.5 py-0.5 font-semibold text-xs",
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
