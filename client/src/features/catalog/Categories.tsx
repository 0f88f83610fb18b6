import { useAskAgain } from "@/api/askAgain";
import { BrandGrid } from "./BrandGrid";
import { allBrands, useAllBrandsQuery } from "./endpoints";

/** The screen of all brands. */
export default function Categories() {
  const { data, isError, isFetching } = useAllBrandsQuery();
  const refetch = useAskAgain(allBrands, undefined);
  return (
    <section className="screen-width grid gap-8 py-part">
      <header className="grid gap-3">
        <h1 className="font-extrabold text-3xl">All Smartphone Brands</h1>
        <p className="min-h-7 max-w-prose text-lg text-muted">
          Choose a brand to see every phone of it that is on offer.
        </p>
      </header>
      <BrandGrid brands={data} isError={isError} isFetching={isFetching} refetch={refetch} expected={12} />
    </section>
  );
}
