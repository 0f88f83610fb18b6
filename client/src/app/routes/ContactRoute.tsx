import { ContactSection } from "@/features/contact/ContactSection";

/** The contact page. */
export default function ContactRoute() {
  return <ContactSection heading="h1" />;
}
