import type { Seller } from "@/api/types";
import { telHref } from "@/lib/telHref";
import * as t from "@/texts/orders";
import { Email } from "@/ui";

/** The contact details of the seller of a paid phone; collapsed, so that it moves nothing when it appears. */
export function SellerContact({ seller: { name, email, phone, location } }: { seller: Seller }) {
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer py-0.5 font-semibold text-brand underline-offset-4 hover:underline">
        {t.sellerContact}
      </summary>
      <ul className="grid gap-0.5 py-1 [overflow-wrap:anywhere]">
        <li className="font-semibold">{name}</li>
        {phone && (
          <li>
            <a dir="ltr" href={telHref(phone)} className="underline underline-offset-4">
              {phone}
            </a>
          </li>
        )}
        {email && (
          <li>
            <a href={`mailto:${email}`} className="underline underline-offset-4">
              <Email address={email} />
            </a>
          </li>
        )}
        {location && <li>{location}</li>}
      </ul>
    </details>
  );
}
