import * as t from "@/texts/ui";
import { cx } from "@/ui/cx";

/** Shows that something loads; `page` reserves the height of a screen so that nothing jumps. */
export function Spinner({ label = t.loading, page = false }: { label?: string; page?: boolean }) {
  return (
    <div
      role="status"
      className={cx("delayed-appearance grid place-items-center", page ? "min-h-[60dvh]" : "p-6")}
    >
      <span
        aria-hidden="true"
        className="size-9 animate-spin rounded-full border-3 border-line border-t-brand motion-reduce:border-t-accent"
      />
      <span className="sr-only">{label}</span>
    </div>
  );
}
