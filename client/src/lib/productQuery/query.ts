import { matchesWords, tokenize } from "./tokenize";

/** The sort orders; the first is the default. Equal phones are sorted newest first. */
export const SORT_ORDERS = ["newest", "price-up", "price-down", "saving"] as const;
/** One of the sort orders. */
export type Sort = (typeof SORT_ORDERS)[number];

/**
 * The filters and the order of a search. The rules are those of market.Query on the server, so that a phone of an event
 * matches here exactly if it matches there.
 */
export interface Query {
  /** Words that occur in name, brand or description. */
  text: string;
  /** Words that occur in the location. */
  location: string;
  /** Brand ids; an empty array for any brand. */
  brands: readonly string[];
  /** Conditions; an empty array for any condition. */
  conditions: readonly string[];
  /** Whole US dollars; 0 for no limit. */
  minPrice: number;
  maxPrice: number;
  /** GB; 0 for no limit, which includes phones without this field. */
  minStorage: number;
  /** null for any. */
  verified: boolean | null;
  available: boolean | null;
  sort: Sort;
}

/** All phones, newest first. */
export const EMPTY_QUERY: Query = {
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
export interface SearchableProduct {
  _id: string;
  /** The brand's _id. */
  id: string;
  name: string;
  brand: string;
  description: string;
  /** Missing for visitors, who may not search by it. */
  location?: string;
  originalPrice: number;
  resalePrice: number;
  /** GB; missing if the seller has not entered it. */
  storage?: number;
  productCondition: string;
  verified: boolean;
  booked: boolean;
}

const includesIfSet = (filter: readonly string[], value: string) =>
  filter.length === 0 || filter.includes(value);

/** Whether the phone matches the query. */
export function matches(query: Query, phone: SearchableProduct): boolean {
  const { minPrice, maxPrice, verified, available } = query;
  return (
    includesIfSet(query.brands, phone.id) &&
    includesIfSet(query.conditions, phone.productCondition) &&
    phone.resalePrice >= minPrice &&
    (maxPrice === 0 || phone.resalePrice <= maxPrice) &&
    (phone.storage ?? 0) >= query.minStorage &&
    (verified === null || verified === phone.verified) &&
    (available === null || available !== phone.booked) &&
    (query.text === "" || matchesWords(query.text, wordsOf(phone))) &&
    (query.location === "" || matchesWords(query.location, tokenize(phone.location ?? "")))
  );
}

/** The words of phones that were searched, because a list is searched again after each change. A changed phone is a new object. */
const searchedWords = new WeakMap<SearchableProduct, string[]>();

function wordsOf(phone: SearchableProduct): string[] {
  const known = searchedWords.get(phone);
  if (known) return known;
  const words = tokenize(`${phone.name} ${phone.brand} ${phone.description}`);
  searchedWords.set(phone, words);
  return words;
}

/** The sort key of a phone: larger keys are first, then larger ids. */
export interface SortKey {
  key: number;
  id: string;
}

/** The factor of a saving's ratio: two different savings of prices up to 100,000 then differ by at least 1. */
const SAVING_SCALE = 10_000_000_000;

function sortValue(sort: Sort, { originalPrice, resalePrice }: SearchableProduct): number {
  if (sort === "price-up") return -resalePrice;
  if (sort === "price-down") return resalePrice;
  if (sort === "newest" || originalPrice === 0) return 0;
  // Below 2^53 for all valid prices, so it is exact and equal to the server's.
  return Math.trunc(((originalPrice - resalePrice) * SAVING_SCALE) / originalPrice);
}

/** The phone's sort key in the query's order. */
export function sortKeyOf(query: Query, phone: SearchableProduct): SortKey {
  return { key: sortValue(query.sort, phone), id: phone._id };
}

/** Compares two sort keys: negative if a is first. */
export function compareSortKeys(a: SortKey, b: SortKey): number {
  return b.key - a.key || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
