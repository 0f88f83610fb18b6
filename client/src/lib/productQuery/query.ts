import { allIn, words } from "./words";

/** The sort orders; the first is the default. Phones that are equal in one are sorted newest first. */
export const SORTS = ["newest", "price-up", "price-down", "saving"] as const;
/** One of the sort orders. */
export type Sort = (typeof SORTS)[number];

/**
 * Which phones are searched for, and in which order: the same rules as the server's market.Query, so that a phone of
 * an event matches here exactly if it matches there.
 */
export interface Query {
  /** Words that occur in name, brand or description. */
  text: string;
  /** Words that occur in the location. */
  location: string;
  /** Brand ids; none for any. */
  brands: readonly string[];
  /** Conditions; none for any. */
  conditions: readonly string[];
  /** Whole US dollars; 0 for no limit. */
  minPrice: number;
  maxPrice: number;
  /** GB; 0 for any, also for a phone without this field. */
  minStorage: number;
  /** null for any. */
  verified: boolean | null;
  available: boolean | null;
  sort: Sort;
}

/** All phones, newest first. */
export const EVERYTHING: Query = {
  text: "",
  location: "",
  brands: [],
  conditions: [],
  minPrice: 0,
  maxPrice: 0,
  minStorage: 0,
  verified: null,
  available: null,
  sort: "newest",
};

/** The fields of a phone that a query reads. */
export interface Findable {
  _id: string;
  /** The brand's _id. */
  id: string;
  name: string;
  brand: string;
  description: string;
  /** Left out for visitors, who may not search by it. */
  location?: string;
  originalPrice: number;
  resalePrice: number;
  /** GB; left out if the seller has not entered it. */
  storage?: number;
  productCondition: string;
  verified: boolean;
  booked: boolean;
}

const among = (wanted: readonly string[], one: string) => wanted.length === 0 || wanted.includes(one);

/** Whether the phone matches the query. */
export function matches(query: Query, phone: Findable): boolean {
  const { minPrice, maxPrice, verified, available } = query;
  return (
    among(query.brands, phone.id) &&
    among(query.conditions, phone.productCondition) &&
    phone.resalePrice >= minPrice &&
    (maxPrice === 0 || phone.resalePrice <= maxPrice) &&
    (phone.storage ?? 0) >= query.minStorage &&
    (verified === null || verified === phone.verified) &&
    (available === null || available !== phone.booked) &&
    allIn(query.text, words(`${phone.name} ${phone.brand} ${phone.description}`)) &&
    allIn(query.location, words(phone.location ?? ""))
  );
}

/** The position of a phone in an order: larger keys first, then larger ids. */
export interface SortKey {
  key: number;
  id: string;
}

/** Two different savings of prices up to 100,000 differ by at least one unit of this. */
const SAVING_UNITS = 10_000_000_000;

function keyOf(sort: Sort, { originalPrice, resalePrice }: Findable): number {
  if (sort === "price-up") return -resalePrice;
  if (sort === "price-down") return resalePrice;
  if (sort === "newest" || originalPrice === 0) return 0;
  // Below 2^53 for all prices a phone may have, so exact, as the server's is.
  return Math.trunc(((originalPrice - resalePrice) * SAVING_UNITS) / originalPrice);
}

/** The phone's sort key in the query's order. */
export function sortKeyOf(query: Query, phone: Findable): SortKey {
  return { key: keyOf(query.sort, phone), id: phone._id };
}

/** Compares two sort keys: negative if a is first. */
export function before(a: SortKey, b: SortKey): number {
  return b.key - a.key || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
