import { cx } from "@/ui/cx";

/** A point that beats beside words about what is live; decoration only. Still where motion is not wanted. */
export function LiveDot({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx("inline-block size-2 shrink-0 animate-beat rounded-full bg-current", className)}
    />
  );
}
