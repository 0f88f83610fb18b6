import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { useListEntity, useListIds } from "@/api/useListIds";
import * as t from "@/texts/home";
import { money } from "@/texts/language";
import { cx, Picture, Skeleton } from "@/ui";
import { advertised } from "../endpoints";

/** The one list of advertised phones, the same as AdvertisedItems shows. */
const ALL = {};
const PLACES = [0, 1, 2];

/** The layout of the three: one wide, two below it. */
const slotClass = (place: number) => (place === 0 ? "col-span-2 aspect-16/10" : "aspect-5/4");

/**
 * The three newest advertised phones, for Home's hero. A phone that is removed from the list keeps its place with a
 * label. With fewer than three phones `instead` is shown.
 */
export function FeaturedProducts({ instead }: { instead: ReactNode }) {
  const { ids, error } = useListIds(advertised, ALL);
  const [chosen, choose] = useState<readonly string[]>();
  if (!chosen && ids) choose(ids.slice(0, PLACES.length));
  if (error !== undefined || (chosen && chosen.length < PLACES.length)) return instead;
  return (
    <div className="grid grid-cols-2 content-center gap-3">
      {PLACES.map((place) => {
        const id = chosen?.[place];
        if (id) return <FeaturedProduct key={id} id={id} place={place} />;
        return <Skeleton key={place} className={cx("bg-deep-raised", slotClass(place))} />;
      })}
    </div>
  );
}

function FeaturedProduct({ id, place }: { id: string; place: number }) {
  const now = useListEntity(advertised, ALL, id);
  const [product, keep] = useState(now);
  if (now && now !== product) keep(now);
  if (!product) return <Skeleton className={cx("bg-deep-raised", slotClass(place))} />;
  return (
    <Link
      to={`/phone/${product._id}`}
      className={cx("group relative grid overflow-hidden rounded-lg", slotClass(place))}
    >
      <Picture
        src={product.img}
        photo={product.photos[0]}
        sizes="(min-width: 64rem) 36rem, 92vw"
        alt=""
        eager
        ratio="fill"
        className="absolute inset-0 p-1 pb-10 sm:pb-12"
        imgClassName="animate-arrive transition-transform group-hover:scale-104"
      />
      <span className="relative flex items-baseline justify-between gap-3 self-end bg-surface px-3 py-2 font-semibold text-ink text-xs sm:px-4 sm:py-2.5 sm:text-sm">
        <span className="truncate">{product.name}</span>
        <span className="shrink-0 tabular-nums">{now ? money(product.resalePrice) : t.justGone}</span>
      </span>
    </Link>
  );
}
