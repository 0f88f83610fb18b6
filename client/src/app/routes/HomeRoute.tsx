import { lazy, Suspense } from "react";
import { AdvertisedItems, BrandGrid, ShopWindow, useTopBrandsQuery } from "@/features/catalog";
import { DrawnPhone } from "@/features/home/Hero";
import { Home } from "@/features/home/Home";

/** At the screen's end, so its form comes in a file of its own. */
const Contact = lazy(async () => {
  const { ContactSection } = await import("@/features/contact/ContactSection");
  return { default: ContactSection };
});

/** Home, put together from what three features show on it. */
export function HomeRoute() {
  const { data, isError, isFetching, refetch } = useTopBrandsQuery();
  return (
    <Home
      shopWindow={<ShopWindow instead={<DrawnPhone />} />}
      brands={<BrandGrid brands={data} isError={isError} isFetching={isFetching} refetch={refetch} />}
      advertised={<AdvertisedItems />}
      contact={
        <Suspense fallback={<div className="min-h-150" />}>
          <Contact />
        </Suspense>
      }
    />
  );
}
