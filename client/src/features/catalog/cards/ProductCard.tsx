import { memo, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { useIsOwnPhone } from "@/api/me";
import type { Product } from "@/api/types";
import { saving } from "@/lib/money";
import * as t from "@/texts/catalog";
import { money } from "@/texts/language";
import { Badge, Button, cx, Picture } from "@/ui";
import { CallIcon, FlagIcon, LocationIcon, PersonIcon, VerifiedIcon } from "@/ui/icons";
import { BookButton } from "./BookButton";
import { Condition } from "./Condition";
import { CARD_SIZES } from "./sizes";
import { TakenMark } from "./TakenMark";

interface Props {
  product: Product;
  /** Among the first on the screen: its picture loads at once. */
  eager: boolean;
  onBook: (product: Product) => void;
  onReport: (product: Product) => void;
}

/** One phone. Memoised by the product's reference, so that an event renders its own card only. */
export const ProductCard = memo(function ProductCard({ product, eager, onBook, onReport }: Props) {
  const titleId = `phone-${product._id}`;
  return (
    <article
      aria-labelledby={titleId}
      className="group flex flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-card transition-shadow hover:shadow-lift"
    >
      <Photo product={product} eager={eager} />
      <div className="flex flex-1 flex-col gap-4 p-4 sm:p-5">
        <header className="grid gap-0.5">
          <p className="text-muted text-sm">
            {product.brand}
            {product.storage && ` · ${t.gigabytes(product.storage)}`}
          </p>
          <h2 id={titleId} className="font-bold text-xl">
            <Link to={`/phone/${product._id}`} className="underline-offset-4 hover:underline">
              {product.name}
            </Link>
          </h2>
        </header>
        <Price product={product} />
        <Facts product={product} />
        <Seller product={product} />
        <Actions product={product} onBook={onBook} onReport={onReport} />
      </div>
    </article>
  );
});

/** Leads where the name leads; the keyboard stops at the name alone. */
function Photo({ product, eager }: Pick<Props, "product" | "eager">) {
  const [photo] = product.photos;
  return (
    <Link to={`/phone/${product._id}`} tabIndex={-1} className="relative">
      <Picture
        imgClassName="animate-arrive transition-transform group-hover:scale-104"
        src={product.img}
        photo={photo}
        sizes={CARD_SIZES}
        alt={photo?.alt || t.photographOf(product.name)}
        ratio="landscape"
        eager={eager}
        className="p-4"
      />
      <TakenMark product={product} />
    </Link>
  );
}

function Price({ product }: { product: Product }) {
  const { originalPrice, resalePrice } = product;
  const saved = saving(originalPrice, resalePrice);
  return (
    <dl className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1">
      <dt className="sr-only">{t.resalePrice}</dt>
      <dd className="font-extrabold text-2xl tabular-nums tracking-tight">{money(resalePrice)}</dd>
      <dt className="sr-only">{t.originalPrice}</dt>
      <dd className={cx("text-muted tabular-nums", saved > 0 && "line-through")}>{money(originalPrice)}</dd>
      {saved > 0 && (
        <>
          <dt className="sr-only">{t.saving}</dt>
          <dd className="ms-auto rounded-full bg-accent-soft px-2.5 py-0.5 font-bold text-accent text-sm tabular-nums">
            {t.save(saved)}
          </dd>
        </>
      )}
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-muted text-xs">{term}</dt>
      <dd className="font-semibold text-sm">{children}</dd>
    </div>
  );
}

/** What there is to know of the phone itself, in one line of three. */
function Facts({ product }: { product: Product }) {
  return (
    <dl className="grid grid-cols-[auto_auto_auto] justify-between gap-x-2 border-line border-y py-3">
      <Fact term={t.condition}>
        <Condition of={product.productCondition} />
      </Fact>
      <Fact term={t.usedTime}>{product.usedTime}</Fact>
      <Fact term={t.posted}>{t.day(product.selling_post_date)}</Fact>
    </dl>
  );
}

/** Who sells it, and where: quieter than the phone. The badge has a line that is there without it too. */
function Seller({ product }: { product: Product }) {
  return (
    <dl className="mt-auto grid grid-cols-[auto_1fr] items-center gap-x-2 gap-y-1.5 text-sm">
      <dt className="text-muted">
        <span className="sr-only">{t.seller}</span>
        <PersonIcon className="size-4.5" />
      </dt>
      <dd className="flex min-h-6 items-center gap-x-2 font-semibold">
        <span className="min-w-0">{product.sellerName}</span>
        <span className="w-24 shrink-0">
          {product.verified && (
            <Badge tone="ok">
              <VerifiedIcon className="size-4" />
              {t.verified}
            </Badge>
          )}
        </span>
      </dd>
      {product.location && (
        <>
          <dt className="text-muted">
            <span className="sr-only">{t.location}</span>
            <LocationIcon className="size-4.5" />
          </dt>
          <dd>{product.location}</dd>
        </>
      )}
      {product.phone && (
        <>
          <dt className="text-muted">
            <span className="sr-only">{t.phone}</span>
            <CallIcon className="size-4.5" />
          </dt>
          <dd>
            <a
              dir="ltr"
              href={`tel:${product.phone.replace(/[^+\d]/g, "")}`}
              className="inline-block py-0.5 underline-offset-4 hover:text-brand hover:underline"
            >
              {product.phone}
            </a>
          </dd>
        </>
      )}
    </dl>
  );
}

function Actions({ product, onBook, onReport }: Omit<Props, "eager">) {
  const isOwn = useIsOwnPhone(product);
  return (
    // Beside the filters a card is narrow on a wide screen: its own width decides.
    <div className="@container">
      <div className="grid grid-cols-[1fr_auto] gap-1 max-[22rem]:grid-cols-1 sm:gap-2">
        <BookButton product={product} onBook={onBook} />
        {!isOwn && (
          <Button
            variant="quiet"
            className="@xs:gap-1.5 gap-1 whitespace-nowrap @xs:px-2! px-1! @xs:text-sm text-xs"
            onClick={() => onReport(product)}
            aria-describedby={`phone-${product._id}`}
          >
            <FlagIcon className="size-4" />
            {t.report}
          </Button>
        )}
      </div>
    </div>
  );
}
