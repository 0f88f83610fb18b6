import { lazy, Suspense } from "react";
import { BrandGrid, ShopWindow, useTopBrandsQuery } from "@/features/catalog";
import { DrawnPhone } from "@/features/home/Hero";
import { Home } from "@/features/home/Home";

const HomeRest = lazy(() => import("./HomeRest"));

/** Home, put together from what three features show on it. */
export function HomeRoute() {
  const { data, isError, isFetching, refetch } = useTopBrandsQuery();
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
