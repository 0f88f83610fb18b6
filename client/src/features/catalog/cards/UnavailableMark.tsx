import type { Product } from "@/api/types";
import * as t from "@/texts/catalog";

interface Props {
  product: Pick<Product, "booked" | "sold">;
  /** It was removed while the page was open. */
  removed?: boolean;
}

/**
 * A mark on the photo of a phone that cannot be booked; the photo keeps its colours. Hidden from screen readers,
 * because the label in the place of Book Now says it to them.
 */
export function UnavailableMark({ product: { booked, sold }, removed = false }: Props) {
  if (!booked && !removed) return null;
  return (
    <span
      aria-hidden="true"
      className="absolute start-2 bottom-2 rounded-full bg-deep px-3 py-1 font-semibold text-on-deep text-xs"
    >
      {removed ? t.unavailable : sold ? t.sold : t.onHold}
    </span>
  );
}
