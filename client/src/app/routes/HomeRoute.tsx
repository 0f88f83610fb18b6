import { Suspense } from "react";
import { FeaturedProducts, TopBrands } from "@/features/catalog";
import { Home } from "@/features/home/Home";
import { lazyPart } from "@/ui/lazyPart";

const PhoneIllustration = lazyPart(() => import("@/features/home/PhoneIllustration"));
const HomeRest = lazyPart(() => import("./HomeRest"));

/** Home, which shows parts of three features. */
export function HomeRoute() {
  return (
    <Home
      heroPhones={
        <FeaturedProducts
          instead={
            <Suspense fallback={<div className="aspect-2/1 sm:aspect-5/3" />}>
              <PhoneIllustration />
            </Suspense>
          }
        />
      }
      brands={<TopBrands />}
      rest={
        <Suspense fallback={<div className="min-h-dvh" />}>
          <HomeRest />
        </Suspense>
      }
    />
  );
}
