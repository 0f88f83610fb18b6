import { cx } from "@/ui/cx";

/** A point beside words about what is live, which beats a few times as it comes; decoration only. */
export function LiveDot({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx("inline-block size-2 shrink-0 animate-beat rounded-full bg-current", className)}
    />
  );
}
