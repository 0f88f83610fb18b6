import { useRefetch } from "@/api/useRefetch";
import * as t from "@/texts/catalog";
import { BrandGrid } from "./brands/BrandGrid";
import { allBrands, useAllBrandsQuery } from "./endpoints";

/** The screen of all brands. */
export default function Categories() {
  const { data, isError, isFetching } = useAllBrandsQuery();
  const refetch = useRefetch(allBrands, undefined);
  return (
    <section className="screen-width grid gap-8 py-part">
      <header className="grid gap-3">
        <h1 className="font-extrabold text-3xl">{t.brands}</h1>
        <p className="min-h-7 max-w-prose text-lg text-muted">{t.brandsLead}</p>
      </header>
      <BrandGrid brands={data} isError={isError} isFetching={isFetching} refetch={refetch} expected={12} />
    </section>
  );
}
