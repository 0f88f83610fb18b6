import { AdvertisedItems } from "@/features/catalog/home/AdvertisedItems";
import { ContactSection } from "@/features/contact/ContactSection";
import { SellCta } from "@/features/home/SellCta";

/** What of Home lies below the first screenful; a file of its own, so that the first one comes sooner. */
export default function HomeRest() {
  return (
    <>
      <AdvertisedItems />
      <SellCta />
      <ContactSection />
    </>
  );
}
