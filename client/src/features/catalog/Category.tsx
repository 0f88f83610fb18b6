import { memo, useCallback, useMemo } from "react";
import { useDispatch } from "react-redux";
import { useParams } from "react-router-dom";
import { bookingChosen, reportChosen } from "@/api/selection";
import type { Product } from "@/api/types";
import { type ListFrame, useListEntity, useListFrame } from "@/api/useListFrame";
import { EmptyState, ErrorState, LoadMore, Spinner, StillGrid } from "@/ui";
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
    <section className="mx-auto grid max-w-7xl gap-8 px-4 py-12">
      <header className="grid gap-1">
        <h1 className="font-bold text-3xl sm:text-4xl">All Products</h1>
        <p className="min-h-7 text-lg text-muted">{brands?.find((brand) => brand._id === id)?.name}</p>
      </header>
      {frame.ids && <Products brand={brand} ids={frame.ids} frame={frame} />}
      {frame.error !== undefined && (
        <ErrorState
          message={
            frame.errorStatus === 404
              ? "There is no such brand."
              : `The phones could not be loaded. ${frame.error}`
          }
          onRetry={frame.retry}
          busy={frame.isFetching}
        />
      )}
      {!frame.ids && frame.error === undefined && <Spinner page label="Loading phones" />}
    </section>
  );
}

function Products({ brand, ids, frame }: { brand: BrandArg; ids: readonly string[]; frame: ListFrame }) {
  const { total, nextCursor } = frame;
  const dispatch = useDispatch<CatalogDispatch>();
  const more = useMore(() => brandProducts.initiate({ ...brand, cursor: nextCursor ?? undefined }, PAGE));
  const onBook = useCallback((product: Product) => dispatch(bookingChosen(product)), [dispatch]);
  const onReport = useCallback((product: Product) => dispatch(reportChosen(product)), [dispatch]);

  if (ids.length === 0) {
    return <EmptyState title="No phones of this brand yet">New ones appear here by themselves.</EmptyState>;
  }
  return (
    <>
      <StillGrid key={brand.id} keys={ids} gone="This phone is no longer for sale.">
        {(id, place) => (
          <LiveCard brand={brand} id={id} eager={place < 3} onBook={onBook} onReport={onReport} />
        )}
      </StillGrid>
      <LoadMore shown={ids.length} total={total} hasMore={nextCursor !== null} {...more} />
    </>
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
