import { BrandGrid } from "./BrandGrid";
import { useAllBrandsQuery } from "./endpoints";

/** The screen of all brands. */
export default function Categories() {
  const { data, isError, isFetching, refetch } = useAllBrandsQuery();
  return (
    <section className="mx-auto grid max-w-7xl gap-8 px-4 py-12">
      <h1 className="font-bold text-3xl sm:text-4xl">All Smartphone Brands</h1>
      <BrandGrid brands={data} isError={isError} isFetching={isFetching} refetch={refetch} />
    </section>
  );
}
