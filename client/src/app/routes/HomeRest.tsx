import { AdvertisedItems } from "@/features/catalog/AdvertisedItems";
import { ContactSection } from "@/features/contact/ContactSection";
import { SellBand } from "@/features/home/SellBand";

/** What of Home lies below the first screenful; a file of its own, so that the first one comes sooner. */
export default function HomeRest() {
  return (
    <>
      <AdvertisedItems />
      <SellBand />
      <ContactSection />
    </>
  );
}
