import { memo, useMemo } from "react";
import { Link } from "react-router-dom";
import type { Product } from "@/api/types";
import { useFirstList, useListEntity, useListIds } from "@/api/useListIds";
import { savingPercent } from "@/lib/savingPercent";
import * as t from "@/texts/catalog";
import { condition } from "@/texts/condition";
import { dollars } from "@/texts/money";
import {
  buttonClass,
  cx,
  EmptyState,
  ErrorState,
  LiveDot,
  LiveText,
  LoadMore,
  Picture,
  StableGrid,
} from "@/ui";
import { CardSkeletons } from "../cards/CardSkeletons";
import { HEART_PLACE } from "../cards/layout";
import { WatchButton } from "../cards/WatchButton";
import { advertised } from "../endpoints";
import { useIncremental } from "../useIncremental";
import { useLoadMore } from "../useLoadMore";
import { inOrderOf, spread } from "./spread";

/** On a phone two rows that scroll sideways, so that the page stays short; else two to four columns. */
const COLUMNS =
  "grid gap-2.5 sm:gap-4 sm:grid-cols-2 md:grid-cols-3 min-[96rem]:grid-cols-4 max-sm:-mx-page " +
  "max-sm:auto-cols-[min(42vw,11rem)] max-sm:snap-x max-sm:scroll-px-page max-sm:grid-flow-col max-sm:grid-rows-2 max-sm:overflow-x-auto max-sm:px-page max-sm:pb-2 " +
  "max-sm:*:snap-start";
/** The width of a photograph, for `sizes`. */
const SIZES = "(min-width: 64rem) 19rem, (min-width: 48rem) 31vw, (min-width: 40rem) 46vw, 42vw";
/** The height of a photograph: on a wide screen it lets two rows be in sight. */
const PHOTO = "w-full lg:max-h-56";

/** The one list of advertised phones. */
const ALL = {};

/** Home's live list of advertised phones; a booked phone is removed from it. */
export function AdvertisedItems() {
  const { ids, nextCursor, isFetching, error, retry } = useListIds(advertised, ALL);
  const first = useFirstList(advertised, ALL, spread);
  const order = useMemo(() => (first && ids ? inOrderOf(first, ids) : undefined), [first, ids]);
  const { renderedIds, isFullyRendered } = useIncremental(order);
  const more = useLoadMore(advertised, ALL, nextCursor);

  return (
    <section aria-labelledby="advertised" className="screen-width grid gap-2 pt-8 pb-part sm:pt-10">
      <h2 id="advertised" className="font-extrabold text-lg sm:text-3xl">
        {t.advertised}
      </h2>
      {error !== undefined && <ErrorState message={t.advertisedFailed} onRetry={retry} busy={isFetching} />}
      {ids?.length === 0 && <EmptyState title={t.advertisedNone}>{t.advertisedNoneHint}</EmptyState>}
      {renderedIds && renderedIds.length > 0 && (
        <StableGrid
          keys={renderedIds}
          expectedCount={isFullyRendered ? 0 : ids?.length}
          removedText={t.advertisedRemoved}
          header={<LiveNote />}
          columns={COLUMNS}
          scrollsSideways
        >
          {renderCard}
        </StableGrid>
      )}
      {!renderedIds && error === undefined && (
        // As high as the window: what follows is out of sight until the list has loaded, so nothing visible moves.
        <div className="grid content-start gap-4 sm:min-h-dvh">
          <LiveNote />
          <CardSkeletons
            label={t.advertisedLoading}
            onRetry={retry}
            count={6}
            photo={`aspect-4/3 ${PHOTO}`}
            below="h-50 sm:h-34"
            columns={COLUMNS}
          />
        </div>
      )}
      {ids && nextCursor !== null && (
        <LoadMore shown={ids.length} hasMore {...more} busy={more.busy || !isFullyRendered} />
      )}
    </section>
  );
}

const LiveNote = () => (
  <p className="flex min-h-9 items-baseline gap-2.5 text-muted">
    <LiveDot className="text-ok" />
    <LiveText otherwise={t.advertisedBefore}>{t.advertisedLive}</LiveText>
  </p>
);

/** One phone of the list by its _id: an event of that phone renders this card only, not the grid. */
const LiveAdvertisedCard = memo(function LiveCard({ id }: { id: string }) {
  const product = useListEntity(advertised, ALL, id);
  return product && <AdvertisedCard product={product} />;
});

const renderCard = (id: string) => <LiveAdvertisedCard id={id} />;

const AdvertisedCard = memo(function AdvertisedCard({ product }: { product: Product }) {
  const [photo] = product.photos;
  return (
    <article
      aria-labelledby={`advertised-${product._id}`}
      className="group relative flex flex-col overflow-hidden rounded-md border border-line bg-surface shadow-card transition-shadow hover:shadow-lift"
    >
      <Link to={`/phone/${product._id}`} tabIndex={-1}>
        <Picture
          imgClassName="animate-arrive-late transition-transform group-hover:scale-104"
          src={product.img}
          photo={photo}
          sizes={SIZES}
          alt={photo?.alt || t.photographOf(product.name)}
          ratio="landscape"
          className={`p-2 ${PHOTO}`}
        />
      </Link>
      <WatchButton product={product} className={HEART_PLACE} />
      <div className="flex flex-1 flex-wrap items-end gap-2 p-2.5 sm:p-3">
        <div className="w-full self-start max-sm:min-h-20">
          <h3
            id={`advertised-${product._id}`}
            className="line-clamp-2 font-bold text-sm [overflow-wrap:anywhere] sm:text-lg"
          >
            <Link to={`/phone/${product._id}`} className="underline-offset-4 hover:underline">
              {product.name}
            </Link>
          </h3>
          <p className="line-clamp-2 text-muted text-xs sm:text-sm">
            {t.usedFor(condition[product.productCondition], product.usedTime)}
          </p>
        </div>
        <Price product={product} />
        <Link
          to={`/category/${product.id}`}
          aria-describedby={`advertised-${product._id}`}
          className={cx(buttonClass({ variant: "secondary", size: "sm" }), "max-sm:w-full")}
        >
          {t.view}
        </Link>
      </div>
    </article>
  );
});

function Price({ product: { originalPrice, resalePrice } }: { product: Product }) {
  const saved = savingPercent(originalPrice, resalePrice);
  return (
    <p className="me-auto grid max-sm:w-full">
      <span className="text-muted text-xs">{t.bestPrice}</span>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-extrabold text-xl tabular-nums tracking-tight sm:text-2xl">
          {dollars(resalePrice)}
        </span>
        {saved > 0 && (
          <span className="font-bold text-accent text-xs tabular-nums sm:text-sm">{t.save(saved)}</span>
        )}
      </span>
    </p>
  );
}
