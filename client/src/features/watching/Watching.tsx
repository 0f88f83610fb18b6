import type { ReactNode } from "react";
import type { Product } from "@/api/types";
import * as t from "@/texts/watching";
import { SavedSearches } from "./SavedSearches";
import { WatchedPhones } from "./WatchedPhones";

interface Props {
  /** Renders the card of a phone; `place` counts from 0. */
  card: (product: Product, place: number) => ReactNode;
}

/** /dashboard/watching: the phones that the signed-in user watches, and the saved searches. */
export default function Watching({ card }: Props) {
  return (
    <section aria-labelledby="watching-title" className="grid gap-8">
      <h2 id="watching-title" className="font-bold text-2xl">
        {t.title}
      </h2>
      <SavedSearches />
      <WatchedPhones card={card} />
    </section>
  );
}
