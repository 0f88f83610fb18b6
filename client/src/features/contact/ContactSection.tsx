import { useConfigQuery } from "@/api/config";
import { telHref } from "@/lib/telHref";
import * as t from "@/texts/contact";
import type { Elements } from "@/ui/Elements";
import { CallIcon, LocationIcon, MailIcon } from "@/ui/icons";
import { ContactForm } from "./ContactForm";

interface Props {
  /** "h1" on the contact page, "h2" as a part of Home. */
  heading?: "h1" | "h2";
}

/** Where to reach us, beside a form. */
export function ContactSection({ heading: Heading = "h2" }: Props) {
  const { data } = useConfigQuery();
  const { email = "", phone = "", location = t.place } = data?.contact ?? {};
  return (
    <section aria-labelledby="contact" className="screen-width grid gap-10 py-part md:grid-cols-2">
      <div className="grid content-start gap-6">
        <Heading id="contact" className="font-extrabold text-3xl">
          {t.title}
        </Heading>
        <p className="max-w-prose text-lg text-muted">{t.lead}</p>
        <ul className="grid gap-3">
          {email && (
            <Line icon={<MailIcon />} label={t.email}>
              <a href={`mailto:${email}`} className="underline-offset-4 hover:text-brand hover:underline">
                {email}
              </a>
            </Line>
          )}
          {phone && (
            <Line icon={<CallIcon />} label={t.phone}>
              <a href={telHref(phone)} className="underline-offset-4 hover:text-brand hover:underline">
                {phone}
              </a>
            </Line>
          )}
          <Line icon={<LocationIcon />} label={t.location}>
            <span>{location}</span>
          </Line>
        </ul>
      </div>
      <ContactForm email={email} />
    </section>
  );
}

function Line({ icon, label, children }: { icon: Elements; label: string; children: Elements }) {
  return (
    <li className="flex items-center gap-3">
      <span className="text-brand">{icon}</span>
      <span className="sr-only">{label}</span>
      {children}
    </li>
  );
}
