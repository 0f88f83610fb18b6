import { memo, type ReactNode } from "react";
import type { Product } from "@/api/types";
import { Badge, Button, cx, Picture } from "@/ui";
import { CallIcon, FlagIcon, PlaceIcon, VerifiedIcon } from "@/ui/icons";
import { BookSlot } from "./BookSlot";
import { day, money, saving } from "./format";

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
      <div className="flex flex-1 flex-col gap-4 p-5">
        <header>
          <p className="text-muted text-sm">{product.brand}</p>
          <h2 id={titleId} className="font-bold text-xl">
            {product.name}
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

function Photo({ product, eager }: Pick<Props, "product" | "eager">) {
  return (
    <div className="relative">
      <Picture
        imgClassName="animate-arrive"
        src={product.img}
        alt={`Photograph of ${product.name}`}
        ratio="landscape"
        eager={eager}
        className={cx("p-6 transition-opacity", product.booked && "opacity-55 grayscale")}
      />
      <Badge className="absolute top-3 left-3 shadow-card">
        <span className="sr-only">Condition</span>
        <span>{product.productCondition}</span>
      </Badge>
    </div>
  );
}

function Price({ product }: { product: Product }) {
  const { originalPrice, resalePrice } = product;
  const saved = saving(originalPrice, resalePrice);
  return (
    <dl className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <dt className="sr-only">Resale price</dt>
      <dd className="font-bold font-display text-3xl tabular-nums tracking-tight">{money(resalePrice)}</dd>
      <dt className="sr-only">Original price</dt>
      <dd className={cx("text-muted tabular-nums", saved > 0 && "line-through")}>{money(originalPrice)}</dd>
      {saved > 0 && (
        <>
          <dt className="sr-only">Saving</dt>
          <dd className="ml-auto rounded-full bg-accent-soft px-2.5 py-0.5 font-semibold text-accent text-sm">
            Save {saved}%
          </dd>
        </>
      )}
    </dl>
  );
}

function Fact({ term, wide, children }: { term: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? "col-span-2" : undefined}>
      <dt className="text-muted">{term}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}

function Facts({ product }: { product: Product }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 text-sm">
      <Fact term="Year of use">{product.usedTime}</Fact>
      <Fact term="Posted">{day(product.selling_post_date)}</Fact>
      <Fact term="Location" wide>
        <span className="inline-flex items-start gap-1">
          <PlaceIcon className="mt-0.5 size-4 shrink-0 text-muted" />
          {product.location}
        </span>
      </Fact>
    </dl>
  );
}

function Seller({ product }: { product: Product }) {
  return (
    <div className="mt-auto grid gap-1 border-line border-t pt-4 text-sm">
      <p className="flex min-h-7 flex-wrap items-center gap-2">
        <span className="text-muted">Seller</span>
        <span className="font-semibold">{product.sellerName}</span>
        {product.verified && (
          <Badge tone="ok">
            <VerifiedIcon className="size-4" />
            Verified
          </Badge>
        )}
      </p>
      {product.phone && (
        <a
          href={`tel:${product.phone.replace(/[^+\d]/g, "")}`}
          className="inline-flex w-fit items-center gap-1.5 underline-offset-4 hover:text-brand hover:underline"
        >
          <CallIcon className="size-4 text-muted" />
          <span className="sr-only">Phone</span>
          {product.phone}
        </a>
      )}
    </div>
  );
}

function Actions({ product, onBook, onReport }: Omit<Props, "eager">) {
  return (
    <div className="grid grid-cols-[1fr_auto] gap-1 max-[22rem]:grid-cols-1 sm:gap-2">
      <BookSlot product={product} onBook={onBook} />
      <Button
        variant="quiet"
        className="whitespace-nowrap px-2 text-sm"
        onClick={() => onReport(product)}
        aria-describedby={`phone-${product._id}`}
      >
        <FlagIcon className="size-4" />
        Report To Admin
      </Button>
    </div>
  );
}
