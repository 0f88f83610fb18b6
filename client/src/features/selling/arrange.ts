import type { Product } from "@/api/types";
import * as t from "@/texts/selling";

/** Which of the phones are shown, and in which order. */
export type Show = keyof typeof t.shows;
export type Sort = keyof typeof t.sorts;
export const SHOWS = Object.keys(t.shows) as Show[];
export const SORTS = Object.keys(t.sorts) as Sort[];

const statusOf = ({ booked, sold }: Product): Show => {
  if (sold) return "sold";
  return booked ? "held" : "available";
};

/** The table in which a phone is shown, null for none, and what it is sorted by. */
export interface Place {
  table: "sold" | "unsold" | null;
  key: number | string;
}

export function placeOf(phone: Product, show: Show, sort: Sort): Place {
  const status = statusOf(phone);
  const table = status === "sold" ? "sold" : "unsold";
  return { table: show === "all" || show === status ? table : null, key: KEYS[sort](phone) };
}

const KEYS: Record<Sort, (phone: Product) => Place["key"]> = {
  newest: () => 0, // the order of the server's list
  "price-up": ({ resalePrice }) => resalePrice,
  "price-down": ({ resalePrice }) => -resalePrice,
  name: ({ name }) => name,
};

const names = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** For sort(): the lower key first. */
export function compare(one: Place, other: Place): number {
  if (typeof one.key === "number") return one.key - Number(other.key);
  return names.compare(one.key, String(other.key));
}
