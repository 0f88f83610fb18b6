import { AdvertisedItems, BrandGrid, useTopBrandsQuery } from "@/features/catalog";
import { ContactSection } from "@/features/contact/ContactSection";
import { Home } from "@/features/home/Home";

/** Home, put together from what three features show on it. */
export function HomeRoute() {
  const { data, isError, isFetching, refetch } = useTopBrandsQuery();
  return (
    <Home
      brands={<BrandGrid brands={data} isError={isError} isFetching={isFetching} refetch={refetch} />}
      advertised={<AdvertisedItems />}
      contact={<ContactSection />}
    />
  );
}
