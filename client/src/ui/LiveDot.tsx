import { cx } from "@/ui/cx";

/** A decorative dot beside texts about live data; it pulses a few times when it appears. */
export function LiveDot({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx("inline-block size-2 shrink-0 animate-beat rounded-full bg-current", className)}
    />
  );
}
