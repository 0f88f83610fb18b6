import type { ReactNode } from "react";
import type { Product } from "@/api/types";
import { savingPercent } from "@/lib/savingPercent";
import { telHref } from "@/lib/telHref";
import * as t from "@/texts/catalog";
import { conditionMeans } from "@/texts/condition";
import { calendarDay } from "@/texts/dates";
import { delivery, offerOf } from "@/texts/delivery";
import { dollars } from "@/texts/money";
import { Badge, cx } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { CallIcon, LocationIcon, MailIcon, PersonIcon, VerifiedIcon } from "@/ui/icons";
import { Condition } from "../cards/Condition";

/** The price, the original price and the saving. */
export function PhonePrice({ product }: { product: Product }) {
  const { originalPrice, resalePrice } = product;
  const saved = savingPercent(originalPrice, resalePrice);
  return (
    <dl className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
      <dt className="sr-only">{t.resalePrice}</dt>
      <dd className="font-extrabold text-3xl tabular-nums tracking-tight">{dollars(resalePrice)}</dd>
      <dt className="sr-only">{t.originalPrice}</dt>
      <dd className={cx("text-lg text-muted tabular-nums", saved > 0 && "line-through")}>
        {dollars(originalPrice)}
      </dd>
      {saved > 0 && (
        <>
          <dt className="sr-only">{t.saving}</dt>
          <dd className="rounded-full bg-accent-soft px-3 py-0.5 font-bold text-accent tabular-nums">
            {t.save(saved)}
          </dd>
        </>
      )}
    </dl>
  );
}

/** The phone itself, field by field. */
export function PhoneFacts({ product }: { product: Product }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 border-line border-y py-5">
      <Fact term={t.brand}>{product.brand}</Fact>
      <Fact term={t.condition}>
        <Condition of={product.productCondition} />
        <p className="font-normal text-muted text-sm">{conditionMeans[product.productCondition]}</p>
      </Fact>
      {product.storage && <Fact term={t.storage}>{t.gigabytes(product.storage)}</Fact>}
      {product.colour && <Fact term={t.colour}>{product.colour}</Fact>}
      <Fact term={t.usedTime}>{product.usedTime}</Fact>
      <Fact term={t.posted}>{calendarDay(product.selling_post_date)}</Fact>
      <Fact term={delivery}>{offerOf(product)}</Fact>
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-muted text-sm">{term}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  );
}

interface SellerProps {
  product: Product;
  /** Shown to a visitor in place of the contact data. */
  instead: Elements;
}

/** The seller, their location and the contact data that the response has, for signed-in people. */
export function SellerCard({ product, instead }: SellerProps) {
  const { sellerName, verified, location, phone, email } = product;
  return (
    <section aria-labelledby="seller-title" className="grid gap-3 rounded-lg bg-sunk p-5">
      <h2 id="seller-title" className="text-muted text-sm">
        {t.seller}
      </h2>
      <p className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 font-bold text-lg">
        <PersonIcon className="size-6" />
        <span className="min-w-0 [overflow-wrap:anywhere]">{sellerName}</span>
        {verified && (
          <Badge tone="ok">
            <VerifiedIcon className="size-4" />
            <span>{t.verified}</span>
          </Badge>
        )}
      </p>
      {/* As high without the words: a verification moves nothing. */}
      <p className="-mt-2 min-h-[1lh] text-muted text-sm">{verified && t.sellerChecked}</p>
      {location === undefined ? (
        instead
      ) : (
        <ul className="grid gap-1.5">
          <ContactLink icon={<LocationIcon />} label={t.location}>
            {location}
          </ContactLink>
          {phone && (
            <ContactLink icon={<CallIcon />} label={t.phone} href={telHref(phone)}>
              {phone}
            </ContactLink>
          )}
          {email && (
            <ContactLink icon={<MailIcon />} label={t.email} href={`mailto:${email}`}>
              {email}
            </ContactLink>
          )}
        </ul>
      )}
    </section>
  );
}

interface ReachProps {
  icon: ReactNode;
  label: string;
  href?: string;
  children: ReactNode;
}

function ContactLink({ icon, label, href, children }: ReachProps) {
  return (
    <li className="flex min-h-7 items-center gap-2.5">
      <span className="text-muted">{icon}</span>
      <span className="sr-only">{t.labelled(label)}</span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {href ? (
          <a href={href} dir="ltr" className="underline underline-offset-4 hover:text-brand">
            {children}
          </a>
        ) : (
          children
        )}
      </span>
    </li>
  );
}
