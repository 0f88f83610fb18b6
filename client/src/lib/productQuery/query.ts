import { allIn, words } from "./words";

/** The orders, the first being that of a list nobody sorted; of two that are equal in one the newer comes first. */
export const SORTS = ["newest", "price-up", "price-down", "saving"] as const;
/** One of them. */
export type Sort = (typeof SORTS)[number];

/**
 * Which phones are wanted, and in which order: the server's market.Query, so
 * that a phone which an event brings is judged here as it would be there.
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
  /** GB; 0 for any, said or not. */
  minStorage: number;
  /** null for any. */
  verified: boolean | null;
  available: boolean | null;
  sort: Sort;
}

/** Wants all phones, newest first. */
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

/** What of a phone a query looks at. */
export interface Findable {
  _id: string;
  /** The brand's. */
  id: string;
  name: string;
  brand: string;
  description: string;
  /** Not told to visitors, who may not look by it. */
  location?: string;
  originalPrice: number;
  resalePrice: number;
  /** GB; left out where the seller has not said. */
  storage?: number;
  productCondition: string;
  verified: boolean;
  booked: boolean;
}

const among = (wanted: readonly string[], one: string) => wanted.length === 0 || wanted.includes(one);

/** Whether the query wants the phone. */
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

/** Where a phone stands in an order: larger keys first, then larger ids. */
export interface SortKey {
  key: number;
  id: string;
}

/** Two different savings of prices up to 100,000 are at least one unit of this apart. */
const SAVING_UNITS = 10_000_000_000;

function keyOf(sort: Sort, { originalPrice, resalePrice }: Findable): number {
  if (sort === "price-up") return -resalePrice;
  if (sort === "price-down") return resalePrice;
  if (sort === "newest" || originalPrice === 0) return 0;
  // Below 2^53 for all prices a phone may have, so exact, as the server's is.
  return Math.trunc(((originalPrice - resalePrice) * SAVING_UNITS) / originalPrice);
}

/** The phone's place in the query's order. */
export function sortKeyOf(query: Query, phone: Findable): SortKey {
  return { key: keyOf(query.sort, phone), id: phone._id };
}

/** Orders places: negative where a comes first. */
export function before(a: SortKey, b: SortKey): number {
  return b.key - a.key || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
