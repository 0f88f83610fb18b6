import { memo } from "react";
import { Link } from "react-router-dom";
import type { Brand } from "@/api/types";
import * as t from "@/texts/home";
import { dollars } from "@/texts/money";
import { brandTint, Picture, Skeleton } from "@/ui";

const CARD = "overflow-hidden rounded-md border border-line bg-surface";

interface Props {
  brand: Brand;
  eager?: boolean;
}

/** An image card that leads to the brand's phones. Its numbers are those of the last response; no event changes them. */
export const BrandCard = memo(function BrandCard({ brand, eager }: Props) {
  const { _id, name, img, available, fromPrice } = brand;
  return (
    <Link
      to={`/category/${_id}`}
      aria-labelledby={`brand-${_id}`}
      aria-describedby={`stock-${_id}`}
      className={`${CARD} group grid shadow-card transition-shadow hover:shadow-lift`}
    >
      <Picture
        imgClassName="animate-settle transition-transform group-hover:scale-104"
        src={img}
        alt=""
        ratio="landscape"
        tint={brandTint(_id)}
        eager={eager}
        fit="cover"
      />
      <span className="grid gap-0.5 px-3 py-2.5 sm:px-4 sm:py-3">
        <span className="flex items-center justify-between gap-2 font-bold sm:text-lg">
          <span id={`brand-${_id}`}>{name}</span>
          <span
            aria-hidden="true"
            className="text-accent transition-transform group-hover:translate-x-1 rtl:-scale-x-100"
          >
            →
          </span>
        </span>
        <span id={`stock-${_id}`} className={STOCK}>
          {fromPrice === undefined ? (
            t.noneAvailable
          ) : (
            <>
              <span>{t.available(available)}</span> <span>{t.fromPrice(dollars(fromPrice))}</span>
            </>
          )}
        </span>
      </span>
    </Link>
  );
});

/** Two lines high, whatever the numbers are. */
const STOCK = "grid min-h-[2lh] content-start text-muted text-sm tabular-nums";

/** A brand's card of the same size, while it loads. */
export function BrandSkeleton() {
  return (
    <div className={CARD}>
      <Skeleton className="aspect-4/3 rounded-none" />
      <div className="grid gap-0.5 px-3 py-2.5 sm:px-4 sm:py-3">
        <span className="font-bold sm:text-lg">&nbsp;</span>
        <span className={STOCK} />
      </div>
    </div>
  );
}
