import { useSignOut } from "@/features/auth";
import { AdvertisedItems } from "@/features/catalog/home/AdvertisedItems";
import { ContactSection } from "@/features/contact/ContactSection";
import { HowItWorks } from "@/features/home/HowItWorks";
import { SellCta } from "@/features/home/SellCta";
import { ADD_PRODUCT } from "@/lib/loginOrigin";

/** The part of Home below the first screenful; loaded separately, so that the first part loads sooner. */
export default function HomeRest() {
  const signUpToSell = useSignOut({ from: ADD_PRODUCT });
  return (
    <>
      <HowItWorks />
      <AdvertisedItems />
      <SellCta onSignUpToSell={signUpToSell} />
      <ContactSection />
    </>
  );
}
