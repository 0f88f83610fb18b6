import type { Seller } from "@/api/types";
import { telHref } from "@/lib/telHref";
import * as t from "@/texts/order";
import { Email } from "@/ui";

interface Props {
  /** Seller or Buyer. */
  label: string;
  /** Fields that are not shown to this reader, or not known any more, are empty. */
  person: Partial<Seller> | undefined;
}

/** One side of an order, with its contact details for the other side. */
export function PersonCard({ label, person: { name, email, phone, location } = {} }: Props) {
  return (
    <section
      aria-label={label}
      className="grid gap-1 rounded-lg border border-line bg-surface p-4 shadow-card wrap-anywhere sm:p-5"
    >
      <h3 className="text-muted text-sm">{label}</h3>
      {name ? <p className="font-bold text-lg">{name}</p> : <p>{t.left}</p>}
      {phone && (
        <a
          dir="ltr"
          href={telHref(phone)}
          className="justify-self-start py-1 text-brand underline underline-offset-4"
        >
          {phone}
        </a>
      )}
      {email && (
        <a
          href={`mailto:${email}`}
          className="justify-self-start py-1 text-brand underline underline-offset-4"
        >
          <Email address={email} />
        </a>
      )}
      {location && <p className="py-1">{location}</p>}
    </section>
  );
}
