import { useRefetch } from "@/api/useRefetch";
import { FRESH_NUMBERS, topBrands, useTopBrandsQuery } from "../endpoints";
import { BrandGrid } from "./BrandGrid";

/** One row on a wide screen, so that the phones below need little scrolling. */
const COLUMNS = "grid grid-cols-2 gap-2.5 sm:grid-cols-3 sm:gap-4 lg:grid-cols-6";

/** Home's brands. */
export function TopBrands() {
  const { data, isError, isFetching } = useTopBrandsQuery(undefined, FRESH_NUMBERS);
  const refetch = useRefetch(topBrands, undefined);
  return <BrandGrid {...{ brands: data, isError, isFetching, refetch }} expected={6} columns={COLUMNS} />;
}
