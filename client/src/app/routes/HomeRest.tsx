import { AdvertisedItems } from "@/features/catalog/home/AdvertisedItems";
import { ContactSection } from "@/features/contact/ContactSection";
import { HowItWorks } from "@/features/home/HowItWorks";
import { SellCta } from "@/features/home/SellCta";

/** The part of Home below the first screenful; loaded separately, so that the first part loads sooner. */
export default function HomeRest() {
  return (
    <>
      <HowItWorks />
      <AdvertisedItems />
      <SellCta />
      <ContactSection />
    </>
  );
}
