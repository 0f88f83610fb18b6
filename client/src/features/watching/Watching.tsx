import type { ReactNode } from "react";
import type { Product } from "@/api/types";
import { useList } from "@/api/useList";
import * as t from "@/texts/watching";
import { ALL, searches, watches } from "./endpoints";
import { SavedSearches } from "./SavedSearches";
import { WatchedPhones } from "./WatchedPhones";

interface Props {
  /** Renders the card of a phone; `index` counts from 0. */
  card: (product: Product, index: number) => ReactNode;
}

/** /dashboard/watching: the phones that the signed-in user watches, and the saved searches. */
export default function Watching({ card }: Props) {
  const hasNoPhones = useList(watches, ALL).list?.ids.length === 0;
  const hasNoSearches = useList(searches, ALL).list?.ids.length === 0;
  return (
    <section aria-labelledby="watching-title" className="grid gap-8">
      <h2 id="watching-title" className="font-bold text-2xl">
        {t.title}
      </h2>
      <SavedSearches isBrief={!hasNoPhones} />
      <WatchedPhones card={card} isBrief={!hasNoSearches} />
    </section>
  );
}
