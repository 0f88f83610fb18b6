import { memo, useCallback, useMemo } from "react";
import { useDispatch } from "react-redux";
import { useParams } from "react-router-dom";
import { bookingChosen, reportChosen } from "@/api/selection";
import type { Brand, Product } from "@/api/types";
import { type ListFrame, useListEntity, useListFrame } from "@/api/useListFrame";
import * as t from "@/texts/catalog";
import { EmptyState, ErrorState, LiveDot, LoadMore, Picture, StillGrid, tintOf } from "@/ui";
import { CardShapes } from "./CardShapes";
import { type BrandArg, brandProducts, useAllBrandsQuery } from "./endpoints";
import { ProductCard } from "./ProductCard";
import { type CatalogDispatch, PAGE, useMore } from "./useMore";

/** All phones of one brand. The dialogs that its buttons open are mounted by the route. */
export default function Category() {
  const { id = "" } = useParams();
  const brand = useMemo(() => ({ id }), [id]);
  const { data: brands } = useAllBrandsQuery();
  const frame = useListFrame(brandProducts, brand);

  return (
    <section className="screen-width grid gap-6 py-8 sm:py-12">
      <Head brand={brands?.find((brand) => brand._id === id)} />
      {frame.ids && <Products brand={brand} ids={frame.ids} frame={frame} />}
      {frame.error !== undefined && (
        <ErrorState
          message={frame.errorStatus === 404 ? t.noBrand : t.listFailed(frame.error)}
          onRetry={frame.retry}
          busy={frame.isFetching}
        />
      )}
      {!frame.ids && frame.error === undefined && (
        // Under a bar as high as the grid's.
        <div className="pt-13">
          <CardShapes label={t.listLoading} onRetry={frame.retry} count={6} below="h-87" />
        </div>
      )}
    </section>
  );
}

/** Whose phones these are. As high before the brand is known. */
function Head({ brand }: { brand: Brand | undefined }) {
  return (
    <header className="flex items-center gap-4 sm:gap-6">
      <Picture
        src={brand?.img}
        alt=""
        fit="cover"
        eager
        tint={tintOf(brand?._id ?? "")}
        className="w-20 shrink-0 rounded-lg sm:w-28"
      />
      <div className="grid gap-1">
        <p className="min-h-7 font-semibold text-accent text-lg">{brand?.name}</p>
        <h1 className="font-extrabold text-3xl">{t.products}</h1>
      </div>
    </header>
  );
}

function Products({ brand, ids, frame }: { brand: BrandArg; ids: readonly string[]; frame: ListFrame }) {
  const { total, nextCursor } = frame;
  const dispatch = useDispatch<CatalogDispatch>();
  const more = useMore(() => brandProducts.initiate({ ...brand, cursor: nextCursor ?? undefined }, PAGE));
  const onBook = useCallback((product: Product) => dispatch(bookingChosen(product)), [dispatch]);
  const onReport = useCallback((product: Product) => dispatch(reportChosen(product)), [dispatch]);

  if (ids.length === 0) {
    return <EmptyState title={t.listNone}>{t.listNoneHint}</EmptyState>;
  }
  return (
    <>
      <StillGrid
        key={brand.id}
        keys={ids}
        gone={t.noLonger}
        bar={<Count total={Math.max(total, ids.length)} />}
      >
        {(id, place) => (
          <LiveCard brand={brand} id={id} eager={place < 3} onBook={onBook} onReport={onReport} />
        )}
      </StillGrid>
      <LoadMore shown={ids.length} total={total} hasMore={nextCursor !== null} {...more} />
    </>
  );
}

function Count({ total }: { total: number }) {
  return (
    <p className="flex items-center gap-2.5 text-muted tabular-nums">
      <LiveDot className="text-ok" />
      {t.liveCount(total)}
    </p>
  );
}

interface LiveCardProps {
  brand: BrandArg;
  id: string;
  eager: boolean;
  onBook: (product: Product) => void;
  onReport: (product: Product) => void;
}

/** One phone of the list by its _id: an event of that phone renders this card, and not the grid. */
const LiveCard = memo(function LiveCard({ brand, id, ...rest }: LiveCardProps) {
  const product = useListEntity(brandProducts, brand, id);
  return product && <ProductCard product={product} {...rest} />;
});
