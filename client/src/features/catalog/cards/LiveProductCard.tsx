import { memo, useEffect, useRef } from "react";
import { useStore } from "react-redux";
import type { DialogRoot } from "@/api/dialogSlice";
import type { Product } from "@/api/types";
import { useListEntity } from "@/api/useListIds";
import { matches, type Query } from "@/lib/productQuery";
import * as t from "@/texts/search";
import { type PhonesArg, phoneList } from "../phoneList";
import { ProductCard } from "./ProductCard";

interface Props {
  arg: PhonesArg;
  /** What the list was narrowed or sorted by; null for nothing. */
  query: Query | null;
  id: string;
  eager: boolean;
  onBookOrWait: (product: Product) => void;
  onReport: (product: Product) => void;
}

/**
 * One phone of the list by its _id: an event of that phone renders this card only, not the grid. A phone that no
 * longer matches the query stays in its place with a label.
 */
export const LiveProductCard = memo(function LiveCard({ arg, query, id, ...rest }: Props) {
  const product = useListEntity(phoneList, arg, id);
  const card = useRef<HTMLDivElement>(null);
  const store = useStore<DialogRoot>();
  useEffect(() => {
    // After a login the dialog may open before its card is rendered: the list is then at that card.
    if (store.getState().dialog?.product._id === id) card.current?.scrollIntoView?.({ block: "center" });
  }, [store, id]);
  if (!product) return null;
  const isOut = query !== null && !matches(query, product);
  return (
    <div ref={card} className="relative grid min-w-0">
      <ProductCard product={product} {...rest} />
      {isOut && (
        <p className="absolute start-2 top-2 rounded-full bg-deep px-3 py-1 font-semibold text-on-deep text-xs">
          {t.noLongerMatches}
        </p>
      )}
    </div>
  );
});
