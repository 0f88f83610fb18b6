import { lazy, Suspense } from "react";
import { useAskAgain } from "@/api/askAgain";
import type { AppStore } from "@/app/store";
import { advertised, BrandGrid, FeaturedProducts, topBrands, useTopBrandsQuery } from "@/features/catalog";
import { Home } from "@/features/home/Home";

const DrawnPhone = lazy(() => import("@/features/home/PhoneIllustration"));
const HomeRest = lazy(() => import("./HomeRest"));

/**
 * Asks for what Home shows first, and waits for none of it: the screen is then drawn as one that waits, where asking
 * for it afterwards would draw it twice in one go.
 */
export async function ready({ dispatch }: AppStore) {
  dispatch(advertised.initiate({}, { subscribe: false }));
  dispatch(topBrands.initiate(undefined, { subscribe: false }));
}

/** Home, put together from what three features show on it. */
export function HomeRoute() {
  const { data, isError, isFetching } = useTopBrandsQuery();
  const refetch = useAskAgain(topBrands, undefined);
  return (
    <Home
      shopWindow={
        <FeaturedProducts
          instead={
            <Suspense fallback={<div className="mx-auto aspect-4/3 w-full max-w-md" />}>
              <DrawnPhone />
            </Suspense>
          }
        />
      }
      brands={<BrandGrid brands={data} isError={isError} isFetching={isFetching} refetch={refetch} />}
      rest={
        <Suspense fallback={<div className="min-h-dvh" />}>
          <HomeRest />
        </Suspense>
      }
    />
  );
}
