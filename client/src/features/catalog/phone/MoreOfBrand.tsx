import { type ReactNode, useMemo, useState } from "react";
import { Link } from "react-router-dom";
import type { Product } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import { useListEntity } from "@/api/useListIds";
import * as t from "@/texts/catalog";
import { condition } from "@/texts/condition";
import { dollars } from "@/texts/money";
import { Countdown, cx, Picture, Skeleton } from "@/ui";
import { ofBrand, type PhonesArg, phoneList } from "../phoneList";

/** One row on a wide screen. */
const SLOTS = ["a", "b", "c", "d"];
/** How many phones are loaded: some may be booked, and those of the same seller come first. */
const LOADED = 20;
const TILES = "grid grid-cols-2 gap-gap lg:grid-cols-4";
const TILE = "grid h-full content-start overflow-hidden rounded-md border border-line bg-surface";

/**
 * Some of the newest other available phones of the brand, those of the same seller first. A phone that is booked meanwhile keeps its
 * place with a label. For signed-in users only, as the screen of a brand is.
 */
export function MoreOfBrand({ of }: { of: Product }) {
  const brand = useMemo(() => ({ ...ofBrand(of.id), limit: LOADED }), [of.id]);
  const { list, error } = useList(phoneList, brand);
  const [waited] = useState(list === undefined);
  if (error !== undefined) return null;
  return (
    <section aria-labelledby="more-title" className="grid gap-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="more-title" className="font-extrabold text-2xl">
          {t.moreFrom(of.brand)}
        </h2>
        <Link
          to={`/category/${of.id}`}
          className="inline-flex min-h-9 items-center font-semibold text-brand underline-offset-4 hover:underline"
        >
          {t.allOf(of.brand)}
        </Link>
      </div>
      {list ? <Tiles of={of} brand={brand} phones={rowsOf(list)} filled={waited} /> : <TileSkeletons />}
    </section>
  );
}

interface TilesProps {
  of: Product;
  /** The argument of the list. */
  brand: PhonesArg;
  phones: readonly Product[];
  /** Reserves the height of a full row, because skeletons were shown. */
  filled: boolean;
}

function Tiles({ of, brand, phones, filled }: TilesProps) {
  const [chosen] = useState(() => pickPhones(phones, of));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] *:[grid-area:1/1]">
      {filled && (
        <div aria-hidden="true" className="invisible">
          <TileSkeletons />
        </div>
      )}
      {chosen.length === 0 ? (
        <p className="text-muted">{t.noOther}</p>
      ) : (
        <ul className={cx(TILES, "content-start")}>
          {chosen.map((phone) => (
            <Tile
              key={phone._id}
              phone={phone}
              brand={brand}
              isSameSeller={phone.sellerKey === of.sellerKey}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

/** The newest available phones, those of the same seller first. */
function pickPhones(phones: readonly Product[], of: Product): Product[] {
  const available = phones.filter(({ _id, booked }) => _id !== of._id && !booked);
  const isSame = ({ sellerKey }: Product) => sellerKey === of.sellerKey;
  return [...available.filter(isSame), ...available.filter((phone) => !isSame(phone))].slice(0, SLOTS.length);
}

interface TileProps {
  phone: Product;
  brand: PhonesArg;
  isSameSeller: boolean;
}

function Tile({ phone, brand, isSameSeller }: TileProps) {
  const now = useListEntity(phoneList, brand, phone._id);
  const isAvailable = now !== undefined && !now.booked;
  const heldUntil = now?.booked && !now.sold ? now.heldUntil : undefined;
  const note = isSameSeller ? t.sameSeller : condition[phone.productCondition];
  return (
    <li className="min-w-0">
      <Link
        to={`/phone/${phone._id}`}
        className={cx(TILE, "group shadow-card transition-shadow hover:shadow-lift")}
      >
        <Picture
          src={phone.img}
          photo={phone.photos[0]}
          sizes="(min-width: 64rem) 20rem, 46vw"
          alt=""
          ratio="landscape"
          className="p-3"
        />
        <TileText
          name={phone.name}
          price={isAvailable ? dollars(now.resalePrice) : <Unavailable removed={now === undefined} />}
          note={heldUntil ? <Countdown until={heldUntil} className="" /> : note}
        />
      </Link>
    </li>
  );
}

const Unavailable = ({ removed }: { removed: boolean }) => (
  <span className="text-accent">{removed ? t.unavailable : t.justBooked}</span>
);

/** The text below a photograph. */
const TileText = ({ name, price, note }: { name: string; price: ReactNode; note: ReactNode }) => (
  <span className="grid gap-0.5 p-3 sm:p-4">
    <span className="truncate font-bold">{name}</span>
    <span className="font-extrabold text-lg tabular-nums">{price}</span>
    <span className="min-h-5 truncate text-muted text-xs">{note}</span>
  </span>
);

const BLANK = "\u00a0";

/** Skeletons with the same lines as the tiles. */
const TileSkeletons = () => (
  <div className={TILES}>
    {SLOTS.map((slot) => (
      <div key={slot} className={TILE}>
        <Skeleton className="aspect-4/3 rounded-none" />
        <TileText name={BLANK} price={BLANK} note={BLANK} />
      </div>
    ))}
  </div>
);
