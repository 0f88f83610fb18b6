import { memo } from "react";
import { Link } from "react-router-dom";
import type { Product } from "@/api/types";
import { useListEntity, useListFrame } from "@/api/useListFrame";
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
import { advertised } from "./endpoints";
import { money, saving } from "./format";
import { PAGE, useMore } from "./useMore";

/** The one list of advertised phones. */
const ALL = {};

/** Home's live list of advertised phones; whoever gets booked leaves it. */
export function AdvertisedItems() {
  const { ids, nextCursor, isFetching, error, retry } = useListFrame(advertised, ALL);
  const more = useMore(() => advertised.initiate({ cursor: nextCursor ?? undefined }, PAGE));

  return (
    <section aria-labelledby="advertised" className="mx-auto grid max-w-7xl gap-8 px-4 py-16">
      <h2 id="advertised" className="font-bold text-3xl">
        Advertised Items
      </h2>
      {error !== undefined && (
        <ErrorState message="The advertised items could not be loaded." onRetry={retry} busy={isFetching} />
      )}
      {ids?.length === 0 && (
        <EmptyState title="Nothing is advertised right now">
          What sellers advertise appears here by itself.
        </EmptyState>
      )}
      {!ids && error === undefined && (
        <div className="sr-only">
          <Spinner label="Loading advertised items" />
        </div>
      )}
      {ids && ids.length > 0 && (
        <StillGrid keys={ids} gone="No longer on offer.">
          {(id) => <LiveCard id={id} />}
        </StillGrid>
      )}
      {!ids && error === undefined && (
        <div className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
          {["a", "b", "c"].map((key) => (
            <Skeleton key={key} className="aspect-4/3" />
          ))}
        </div>
      )}
      {ids && nextCursor !== null && <LoadMore shown={ids.length} hasMore {...more} />}
    </section>
  );
}

/** One phone of the list by its _id: an event of that phone renders this card, and not the grid. */
const LiveCard = memo(function LiveCard({ id }: { id: string }) {
  const product = useListEntity(advertised, ALL, id);
  return product && <AdvertisedCard product={product} />;
});

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
