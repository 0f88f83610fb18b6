import { useCallback } from "react";
import { useDispatch } from "react-redux";
import { useParams } from "react-router-dom";
import { messageOf, toApiError } from "@/api/errors";
import { useLiveList } from "@/api/live";
import { bookingChosen, reportChosen } from "@/api/selection";
import type { Product } from "@/api/types";
import { rowsOf } from "@/api/useList";
import type { LiveList } from "@/lib/live";
import { EmptyState, ErrorState, LoadMore, Spinner, StillGrid } from "@/ui";
import { brandProducts, useAllBrandsQuery, useBrandProductsQuery } from "./endpoints";
import { ProductCard } from "./ProductCard";
import { type CatalogDispatch, PAGE, useMore } from "./useMore";

const keyOf = (product: Product) => product._id;

/** All phones of one brand. The dialogs that its buttons open are mounted by the route. */
export default function Category() {
  const { id = "" } = useParams();
  const { data: brands } = useAllBrandsQuery();
  const { currentData, isError, isFetching, error, refetch } = useBrandProductsQuery({ id });
  useLiveList(currentData);

  return (
    <section className="mx-auto grid max-w-7xl gap-8 px-4 py-12">
      <header className="grid gap-1">
        <h1 className="font-bold text-3xl sm:text-4xl">All Products</h1>
        <p className="min-h-7 text-lg text-muted">{brands?.find((brand) => brand._id === id)?.name}</p>
      </header>
      {currentData && <Products id={id} list={currentData} />}
      {!currentData && isError && (
        <ErrorState
          message={
            toApiError(error).status === 404
              ? "There is no such brand."
              : `The phones could not be loaded. ${messageOf(error)}`
          }
          onRetry={refetch}
          busy={isFetching}
        />
      )}
      {!currentData && !isError && <Spinner page label="Loading phones" />}
    </section>
  );
}

function Products({ id, list }: { id: string; list: LiveList<Product> }) {
  const dispatch = useDispatch<CatalogDispatch>();
  const more = useMore(() => brandProducts.initiate({ id, cursor: list.nextCursor ?? undefined }, PAGE));
  const onBook = useCallback((product: Product) => dispatch(bookingChosen(product)), [dispatch]);
  const onReport = useCallback((product: Product) => dispatch(reportChosen(product)), [dispatch]);

  if (list.ids.length === 0) {
    return <EmptyState title="No phones of this brand yet">New ones appear here by themselves.</EmptyState>;
  }
  return (
    <>
      <StillGrid key={id} items={rowsOf(list)} keyOf={keyOf} gone="This phone is no longer for sale.">
        {(product, place) => (
          <ProductCard product={product} eager={place < 3} onBook={onBook} onReport={onReport} />
        )}
      </StillGrid>
      <LoadMore shown={list.ids.length} total={list.total} hasMore={list.nextCursor !== null} {...more} />
    </>
  );
}
