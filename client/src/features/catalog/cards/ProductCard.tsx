import { memo } from "react";
import { Link } from "react-router-dom";
import { useIsOwnPhone } from "@/api/me";
import type { Product } from "@/api/types";
import * as t from "@/texts/catalog";
import { Button, cx, Picture } from "@/ui";
import { FlagIcon } from "@/ui/icons";
import { AskLinks } from "./AskLinks";
import { BookingControl } from "./BookingControl";
import { CardPrice, ContactLine, PhoneLine, SellerLine } from "./CardFacts";
import { CARD_PHOTO, CARD_SIZES, HEART_PLACE } from "./layout";
import { UnavailableMark } from "./UnavailableMark";
import { WatchButton } from "./WatchButton";

interface Props {
  product: Product;
  /** Among the first on the screen: its picture loads at once. */
  eager: boolean;
  onBookOrWait: (product: Product) => void;
  onReport: (product: Product) => void;
}

/**
 * The card of one phone. The card's width determines what fits on a line. Memoised by the product's reference, so that an
 * event of a phone renders only its card.
 */
export const ProductCard = memo(function ProductCard({ product, eager, onBookOrWait, onReport }: Props) {
  const titleId = `phone-${product._id}`;
  return (
    <article
      aria-labelledby={titleId}
      className="@container group flex flex-col overflow-hidden rounded-md border border-line bg-surface shadow-card transition-shadow hover:shadow-lift"
    >
      <div className="relative grid">
        <Photo product={product} eager={eager} />
        <WatchButton product={product} className={HEART_PLACE} />
      </div>
      <div className="flex flex-1 flex-col gap-1 @3xs:p-3 p-2.5">
        <CardPrice product={product} />
        <h2 id={titleId} className="line-clamp-2 font-bold @3xs:text-lg text-sm [overflow-wrap:anywhere]">
          <Link to={`/phone/${product._id}`} className="underline-offset-4 hover:underline">
            {product.name}
          </Link>
        </h2>
        <PhoneLine product={product} />
        <SellerLine product={product} />
        <ContactLine product={product} report={<Report product={product} onReport={onReport} />} />
        <BookingControl product={product} onBookOrWait={onBookOrWait} />
        <AskLinks product={product} className="-mb-1.5 text-xs @3xs:text-sm" />
      </div>
    </article>
  );
});

/** The same link as the name; only the name can be focused by the keyboard. */
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
        eager={eager}
        className={cx("p-2", CARD_PHOTO)}
      />
      <UnavailableMark product={product} />
    </Link>
  );
}

/** A text button, taller than its line and placed over its end; on a narrow card an icon. */
function Report({ product, onReport }: Pick<Props, "product" | "onReport">) {
  if (useIsOwnPhone(product)) return null;
  return (
    <Button
      variant="quiet"
      size="sm"
      className="-bottom-1.5 @sm:-end-2 -end-2.5 @max-sm:size-9 absolute @max-sm:px-0! @sm:px-2! text-xs!"
      title={t.report}
      onClick={() => onReport(product)}
      aria-describedby={`phone-${product._id}`}
    >
      <FlagIcon className="size-4 @sm:hidden" />
      <span className="underline underline-offset-4 @max-sm:sr-only">{t.report}</span>
    </Button>
  );
}
