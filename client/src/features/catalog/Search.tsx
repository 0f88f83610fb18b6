import { useEffect, useMemo, useRef } from "react";
import { useLocation } from "react-router-dom";
import { useIsSignedIn } from "@/api/me";
import type { Brand } from "@/api/types";
import { useRefetch } from "@/api/useRefetch";
import { parseQuery } from "@/lib/productQuery";
import { brandsFailed } from "@/texts/home";
import * as t from "@/texts/search";
import { ErrorState, useTitle } from "@/ui";
import { allBrands, useAllBrandsQuery } from "./endpoints";
import { ProductBrowser } from "./results/ProductBrowser";

/** At most this many brands are followed live: a connection may have 64 topics. */
const MOST_TOPICS = 48;
const NO_BRANDS: readonly Brand[] = [];

/**
 * /search: the phones of all brands, with search and filters. Visitors see them without the sellers' contact data, and
 * cannot search by location. The dialogs that its buttons open are mounted by the route.
 */
export default function Search() {
  const signedIn = useIsSignedIn();
  const { data, error, isFetching } = useAllBrandsQuery();
  const brands = data ?? NO_BRANDS;
  const refetchBrands = useRefetch(allBrands, undefined);
  const topics = useMemo(() => brands.slice(0, MOST_TOPICS).map(({ _id }) => `brand:${_id}`), [brands]);
  const field = useRef<HTMLInputElement>(null);
  const { state, key, search } = useLocation();
  const { text } = parseQuery(search);
  useTitle(text ? t.searchFor(text) : t.searchTitle);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time one is led here anew
  useEffect(() => {
    if ((state as { focus?: unknown } | null)?.focus === true) field.current?.focus();
  }, [state, key]);
  return (
    <section className="screen-width grid gap-1 pt-3 pb-12">
      <header className="flex min-h-13 flex-wrap items-center gap-x-4">
        <h1 className="font-extrabold text-2xl">{t.searchTitle}</h1>
        <p className="text-muted max-sm:hidden">{t.searchLead}</p>
      </header>
      {/* Without the brands the results are not live. */}
      {!data && error && <ErrorState message={brandsFailed} onRetry={refetchBrands} busy={isFetching} />}
      <ProductBrowser brand={null} signedIn={signedIn} brands={brands} topics={topics} field={field} />
    </section>
  );
}
