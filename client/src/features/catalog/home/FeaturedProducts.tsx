import { useState } from "react";
import { Link } from "react-router-dom";
import { useFirstList, useListEntity, useListIds } from "@/api/useListIds";
import * as t from "@/texts/home";
import { dollars } from "@/texts/money";
import { cx, Picture, Skeleton } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { advertised } from "../endpoints";
import { FEATURED, featured } from "./featured";

/** The one list of advertised phones, the same as AdvertisedItems shows. */
const ALL = {};
const SLOTS = Array.from({ length: FEATURED }, (_, slot) => slot);

/** The layout of the three: a large one, two smaller ones beside it. */
const slotClass = (slot: number) => (slot === 0 ? "col-span-2 row-span-2" : "");

/**
 * Three advertised phones, chosen by `featured` when the screen opens, for Home's hero. A phone that is removed from
 * the list keeps its place with a label. With fewer than three `instead` is shown.
 */
export function FeaturedProducts({ instead }: { instead: Elements }) {
  const { error } = useListIds(advertised, ALL);
  const chosen = useFirstList(advertised, ALL, featured);
  if (error !== undefined || (chosen && chosen.length < SLOTS.length)) return instead;
  return (
    <div className="grid aspect-2/1 grid-cols-3 grid-rows-2 gap-2 sm:aspect-5/3 sm:gap-3">
      {SLOTS.map((slot) => {
        const id = chosen?.[slot];
        if (id) return <FeaturedProduct key={id} id={id} slot={slot} />;
        return <Skeleton key={slot} className={slotClass(slot)} />;
      })}
    </div>
  );
}

function FeaturedProduct({ id, slot }: { id: string; slot: number }) {
  const current = useListEntity(advertised, ALL, id);
  const [product, setProduct] = useState(current);
  if (current && current !== product) setProduct(current);
  if (!product) return <Skeleton className={slotClass(slot)} />;
  const isLarge = slot === 0;
  return (
    <Link
      to={`/phone/${product._id}`}
      className={cx("group relative grid overflow-hidden rounded-md", slotClass(slot))}
    >
      <Picture
        src={product.img}
        photo={product.photos[0]}
        sizes={isLarge ? "(min-width: 64rem) 24rem, 62vw" : "(min-width: 64rem) 12rem, 31vw"}
        alt=""
        eager
        ratio="fill"
        className={cx("absolute inset-0 p-1", isLarge ? "pb-10" : "pb-8 sm:pb-14")}
        imgClassName="animate-arrive transition-transform group-hover:scale-104"
      />
      <span
        className={cx(
          "relative self-end bg-surface py-1.5 font-semibold text-ink text-xs sm:px-3 sm:text-sm",
          isLarge ? "flex items-baseline justify-between gap-3 px-2.5" : "grid px-1.5",
        )}
      >
        <span className={cx("truncate", !isLarge && "max-sm:sr-only")}>{product.name}</span>
        <span className={cx("tabular-nums", isLarge ? "shrink-0" : "truncate")}>
          {current ? dollars(product.resalePrice) : t.unavailable}
        </span>
      </span>
    </Link>
  );
}
