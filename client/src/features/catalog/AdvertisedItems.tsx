import { memo } from "react";
import { Link } from "react-router-dom";
import { useLiveList } from "@/api/live";
import type { Product } from "@/api/types";
import { rowsOf } from "@/api/useList";
import {
  Badge,
  buttonClass,
  EmptyState,
  ErrorState,
  LoadMore,
  Picture,
  Skeleton,
  Spinner,
  StillGrid,
} from "@/ui";
import { advertised, useAdvertisedQuery } from "./endpoints";
import { money, saving } from "./format";
import { PAGE, useMore } from "./useMore";

const keyOf = (product: Product) => product._id;

/** Home's live list of advertised phones; whoever gets booked leaves it. */
export function AdvertisedItems() {
  const { data: list, isError, isFetching, refetch } = useAdvertisedQuery({});
  useLiveList(list);
  const more = useMore(() => advertised.initiate({ cursor: list?.nextCursor ?? undefined }, PAGE));
  const free = rowsOf(list).filter((product) => !product.booked);

  return (
    <section aria-labelledby="advertised" className="mx-auto grid max-w-7xl gap-8 px-4 py-16">
      <h2 id="advertised" className="font-bold text-3xl">
        Advertised Items
      </h2>
      {!list && isError && (
        <ErrorState message="The advertised items could not be loaded." onRetry={refetch} busy={isFetching} />
      )}
      {list && free.length === 0 && (
        <EmptyState title="Nothing is advertised right now">
          What sellers advertise appears here by itself.
        </EmptyState>
      )}
      {!list && !isError && (
        <div className="sr-only">
          <Spinner label="Loading advertised items" />
        </div>
      )}
      {free.length > 0 && (
        <StillGrid items={free} keyOf={keyOf} gone="No longer on offer.">
          {(product) => <AdvertisedCard product={product} />}
        </StillGrid>
      )}
      {!list && !isError && (
        <div className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
          {["a", "b", "c"].map((key) => (
            <Skeleton key={key} className="aspect-4/3" />
          ))}
        </div>
      )}
      {list && list.nextCursor !== null && <LoadMore shown={free.length} hasMore {...more} />}
    </section>
  );
}

const AdvertisedCard = memo(function AdvertisedCard({ product }: { product: Product }) {
  const saved = saving(product.originalPrice, product.resalePrice);
  return (
    <article
      aria-labelledby={`advertised-${product._id}`}
      className="flex flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-card transition-shadow hover:shadow-lift"
    >
      <Picture
        imgClassName="animate-arrive-late"
        src={product.img}
        alt={`Photograph of ${product.name}`}
        ratio="landscape"
        className="p-6"
      />
      <div className="grid flex-1 grid-cols-[1fr_auto] items-end gap-x-4 gap-y-1 p-5">
        <h3 id={`advertised-${product._id}`} className="col-span-2 font-bold text-lg">
          {product.name}
        </h3>
        <p className="grid">
          <span className="text-muted text-sm">
            Best price {saved > 0 && <Badge tone="warn">Save {saved}%</Badge>}
          </span>
          <span className="font-bold font-display text-2xl tabular-nums">{money(product.resalePrice)}</span>
        </p>
        <Link
          to={`/category/${product.id}`}
          aria-describedby={`advertised-${product._id}`}
          className={buttonClass({ variant: "secondary" })}
        >
          View
        </Link>
      </div>
    </article>
  );
});
