import { cx } from "@/ui/cx";

/** A grey box in place of content that loads; set its size by `className`. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cx("delayed-appearance rounded-lg bg-sunk", className)} />;
}
