import { useRefetch } from "@/api/useRefetch";
import * as t from "@/texts/catalog";
import { BrandGrid } from "./brands/BrandGrid";
import { allBrands, FRESH_NUMBERS, useAllBrandsQuery } from "./endpoints";

const COLUMNS = "grid grid-cols-2 gap-2.5 sm:grid-cols-3 sm:gap-4 lg:grid-cols-4";

/** The screen of all brands. */
export default function Categories() {
  const { data, isError, isFetching } = useAllBrandsQuery(undefined, FRESH_NUMBERS);
  const refetch = useRefetch(allBrands, undefined);
  return (
    <section className="screen-width grid gap-8 py-part">
      <header className="grid gap-3">
        <h1 className="font-extrabold text-3xl">{t.brands}</h1>
        <p className="min-h-7 max-w-prose text-lg text-muted">{t.brandsLead}</p>
      </header>
      <BrandGrid {...{ brands: data, isError, isFetching, refetch }} expected={12} columns={COLUMNS} />
    </section>
  );
}
