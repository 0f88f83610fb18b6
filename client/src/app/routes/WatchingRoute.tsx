import { useCallback } from "react";
import { useOwnBookings } from "@/api/bookings";
import type { Product } from "@/api/types";
import { useOwnWaits } from "@/api/waitlist";
import { ProductCard } from "@/features/catalog/cards/ProductCard";
import { useCardActions } from "@/features/catalog/cards/useCardActions";
import Watching from "@/features/watching/Watching";
import { PhoneDialogs } from "./PhoneDialogs";

/** What the signed-in user watches, with the catalog's cards and the dialogs that their buttons open. */
export default function WatchingRoute() {
  useOwnBookings();
  useOwnWaits();
  const { onBookOrWait, onReport } = useCardActions(true);
  const card = useCallback(
    (product: Product, index: number) => (
      <ProductCard product={product} eager={index < 4} onBookOrWait={onBookOrWait} onReport={onReport} />
    ),
    [onBookOrWait, onReport],
  );
  return (
    <>
      <Watching card={card} />
      <PhoneDialogs />
    </>
  );
}
