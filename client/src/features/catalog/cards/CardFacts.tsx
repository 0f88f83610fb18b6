import type { ReactNode } from "react";
import type { Product } from "@/api/types";
import { savingPercent } from "@/lib/savingPercent";
import { telHref } from "@/lib/telHref";
import * as t from "@/texts/catalog";
import { calendarDay } from "@/texts/dates";
import { delivery, offerOf } from "@/texts/delivery";
import { dollars } from "@/texts/money";
import { Badge, cx } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { VerifiedIcon } from "@/ui/icons";
import { Condition } from "./Condition";

interface Props {
  product: Product;
}

/** The price, the original price and the saving; two lines on a narrow card, so that a new price moves nothing. */
export function CardPrice({ product: { originalPrice, resalePrice } }: Props) {
  const saved = savingPercent(originalPrice, resalePrice);
  return (
    <dl className="flex flex-wrap items-baseline gap-x-2">
      <dt className="sr-only">{t.resalePrice}</dt>
      <dd className="@max-3xs:w-full font-extrabold @3xs:text-2xl text-xl tabular-nums tracking-tight">
        {dollars(resalePrice)}
      </dd>
      <dt className="sr-only">{t.originalPrice}</dt>
      <dd className={cx("@3xs:text-sm text-muted text-xs tabular-nums", saved > 0 && "line-through")}>
        {dollars(originalPrice)}
      </dd>
      {saved > 0 && (
        <>
          <dt className="sr-only">{t.saving}</dt>
          <dd className="font-bold @3xs:text-sm text-accent text-xs tabular-nums">{t.save(saved)}</dd>
        </>
      )}
    </dl>
  );
}

/** The facts about the phone itself. */
export function PhoneLine({ product }: Props) {
  return (
    <FactLine>
      <Fact term={t.brand}>{product.brand}</Fact>
      {product.storage && <Fact term={t.storage}>{t.gigabytes(product.storage)}</Fact>}
      {product.colour && <Fact term={t.colour}>{product.colour}</Fact>}
      <Fact term={t.condition}>
        <Condition of={product.productCondition} />
      </Fact>
      <Fact term={t.usedTime}>{t.used(product.usedTime)}</Fact>
    </FactLine>
  );
}

/** Who sells it, where, and how it is delivered. The badge has a place of its own, so that a verification moves nothing. */
export function SellerLine({ product }: Props) {
  const { sellerName, location, verified } = product;
  return (
    <div className="relative mt-auto @3xs:pe-8 @sm:pe-24">
      <FactLine>
        <Fact term={t.seller} className="@max-3xs:pe-8">
          <span className="font-semibold text-ink">{sellerName}</span>
        </Fact>
        {location && <Fact term={t.location}>{location}</Fact>}
        <Fact term={delivery}>{offerOf(product, true)}</Fact>
      </FactLine>
      {verified && (
        <Badge tone="ok" title={t.sellerChecked} className="-top-0.5 absolute end-0 @max-sm:px-1!">
          <VerifiedIcon className="size-4" />
          <span className="@max-sm:sr-only">{t.verified}</span>
        </Badge>
      )}
    </div>
  );
}

/** How to reach the seller, and since when the phone is for sale; `report` is at the end of the last line. */
export function ContactLine({ product: { phone, selling_post_date }, report }: Props & { report: Elements }) {
  return (
    <div className="relative mb-1 @3xs:pe-9 @sm:pe-36">
      <FactLine>
        {phone && (
          <Fact term={t.phone}>
            <a
              dir="ltr"
              href={telHref(phone)}
              className="inline-block py-0.5 underline-offset-4 hover:text-brand hover:underline"
            >
              {phone}
            </a>
          </Fact>
        )}
        <Fact term={t.posted} className="py-0.5 @max-3xs:pe-9">
          {calendarDay(selling_post_date)}
        </Fact>
      </FactLine>
      {report}
    </div>
  );
}

/** Facts in one line, with dots between them; a fact that wraps to the next line has no dot before it. */
function FactLine({ children }: { children: ReactNode }) {
  return (
    <div className="min-w-0 overflow-hidden">
      <dl className="-ms-3.5 flex flex-wrap text-muted text-xs">{children}</dl>
    </div>
  );
}

interface FactProps {
  term: string;
  className?: string;
  children: ReactNode;
}

function Fact({ term, className, children }: FactProps) {
  return (
    <div
      className={cx(
        "relative min-w-0 ps-3.5 [overflow-wrap:anywhere] before:absolute before:start-1.5 before:content-['·']",
        className,
      )}
    >
      <dt className="sr-only">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
