import type { Product } from "@/api/types";
import * as t from "@/texts/catalog";
import { waiting as waitingText } from "@/texts/waitlist";

interface Props {
  product: Pick<Product, "booked" | "sold" | "waiting">;
  /** It was removed while the page was open. */
  removed?: boolean;
}

/**
 * A mark on the photo of a phone that cannot be booked, with the number of people who wait for it; the photo keeps its
 * colours. Hidden from screen readers, because the label in the place of Book Now says it to them.
 */
export function UnavailableMark({ product: { booked, sold, waiting = 0 }, removed = false }: Props) {
  if (!booked && !removed) return null;
  return (
    <span
      aria-hidden="true"
      className="absolute start-2 bottom-2 rounded-full bg-deep px-3 py-1 font-semibold text-on-deep text-xs"
    >
      <span>{removed ? t.unavailable : sold ? t.sold : t.onHold}</span>
      {!removed && waiting > 0 && <span>{` · ${waitingText(waiting)}`}</span>}
    </span>
  );
}
