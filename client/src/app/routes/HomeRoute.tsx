import { lazy, Suspense } from "react";
import { useAskAgain } from "@/api/askAgain";
import { BrandGrid, ShopWindow, topBrands, useTopBrandsQuery } from "@/features/catalog";
import { DrawnPhone } from "@/features/home/Hero";
import { Home } from "@/features/home/Home";

const HomeRest = lazy(() => import("./HomeRest"));

/** Home, put together from what three features show on it. */
export function HomeRoute() {
  const { data, isError, isFetching } = useTopBrandsQuery();
  const refetch = useAskAgain(topBrands, undefined);
  return (
    <Home
      shopWindow={<ShopWindow instead={<DrawnPhone />} />}
      brands={<BrandGrid brands={data} isError={isError} isFetching={isFetching} refetch={refetch} />}
      rest={
        <Suspense fallback={<div className="min-h-dvh" />}>
          <HomeRest />
        </Suspense>
      }
    />
  );
}
