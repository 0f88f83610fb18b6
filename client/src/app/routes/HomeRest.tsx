import { AdvertisedItems } from "@/features/catalog/home/AdvertisedItems";
import { ContactSection } from "@/features/contact/ContactSection";
import { SellCta } from "@/features/home/SellCta";
import { ValueProps } from "@/features/home/ValueProps";

/** The part of Home below the first screenful; loaded separately, so that the first part loads sooner. */
export default function HomeRest() {
  return (
    <>
      <AdvertisedItems />
      <ValueProps />
      <SellCta />
      <ContactSection />
    </>
  );
}
