import { colourKey, coloursOf } from "./colours";
import { hasAllTerms, partsOf, splitWords, type Term, termsOf, titleTokens, tokenize } from "./tokenize";

/** The sort orders; the first is the default of our screens. Equal phones are sorted newest first. */
export const SORT_ORDERS = ["available", "newest", "price-up", "price-down", "saving"] as const;
/** One of the sort orders. */
export type Sort = (typeof SORT_ORDERS)[number];

/**
 * The filters and the order of a search. The rules are those of search.Query on the server, so that a phone of an event
 * matches here exactly if it matches there.
 */
export interface Query {
  /** Words of name, brand, storage, colour or description. With "*" at the end, the last one may be the beginning of a word. */
  text: string;
  /** Words that occur in the location; the last one may be the beginning of a word. */
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
  /** GB; an empty array for any storage. */
  storage: readonly number[];
  /** Whole or basic colours (coloursOf); an empty array for any. */
  colours: readonly string[];
  /** null for any. */
  verified: boolean | null;
  available: boolean | null;
  sort: Sort;
}

/** All phones, in the order of our screens. */
export const EMPTY_QUERY: Query = {
  text: "",
  location: "",
  brands: [],
  conditions: [],
  minPrice: 0,
  maxPrice: 0,
  minStorage: 0,
  storage: [],
  colours: [],
  verified: null,
  available: null,
  sort: "available",
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
  colour?: string;
  productCondition: string;
  verified: boolean;
  booked: boolean;
  sold?: boolean;
}

const includesIfSet = <T>(filter: readonly T[], value: T) => filter.length === 0 || filter.includes(value);

/** Whether the phone matches the query. */
export function matches(query: Query, phone: SearchableProduct): boolean {
  const { minPrice, maxPrice, minStorage, verified, available } = query;
  return (
    includesIfSet(query.brands, phone.id) &&
    includesIfSet(query.conditions, phone.productCondition) &&
    phone.resalePrice >= minPrice &&
    (maxPrice === 0 || phone.resalePrice <= maxPrice) &&
    (minStorage === 0 || storageOf(phone) >= minStorage) &&
    (query.storage.length === 0 || query.storage.includes(storageOf(phone))) &&
    (query.colours.length === 0 || hasColour(query, phone)) &&
    (verified === null || verified === phone.verified) &&
    (available === null || available !== phone.booked) &&
    (query.text === "" || hasAllTerms(textTermsOf(query), tokensOf(phone).all)) &&
    (query.location === "" ||
      hasAllTerms(termsOf(query.location, true), new Set(titleTokens(phone.location ?? ""))))
  );
}

function hasColour({ colours }: Query, phone: SearchableProduct): boolean {
  const own = coloursOf(phone);
  return colours.some((colour) => own.includes(colourKey(colour)));
}

/** The terms of queries, because a list asks for them for each phone. */
const textTerms = new WeakMap<Query, Term[]>();

function textTermsOf(query: Query): Term[] {
  const known = textTerms.get(query);
  if (known) return known;
  const terms = termsOf(query.text, query.text.trim().endsWith("*"));
  textTerms.set(query, terms);
  return terms;
}

/** GB: sizes below the least one are usually those of the memory. */
const LEAST_STORAGE = 16;
export const MAX_STORAGE = 8192;
const GB_PER_TB = 1024;

/** The phone's storage in GB: the field, or if it is missing, the largest one that the name says; 0 for none. */
export function storageOf({ storage, name }: Pick<SearchableProduct, "storage" | "name">): number {
  if (storage) return storage;
  const parts = tokenize(name).flatMap(partsOf);
  const sizes = parts.map((part, i) => {
    const unit = parts[i + 1];
    const factor = unit === "gb" ? 1 : unit === "tb" ? GB_PER_TB : 0;
    const size = /^[0-9]+$/.test(part) && parts[i + 2] !== "ram" ? Number(part) * factor : 0;
    return size >= LEAST_STORAGE && size <= MAX_STORAGE && Number.isInteger(Math.log2(size)) ? size : 0;
  });
  return Math.max(0, ...sizes);
}

/** The tokens of a phone: of brand, name, storage and colour, and of all texts. */
interface Tokens {
  title: ReadonlySet<string>;
  all: ReadonlySet<string>;
}

/** The tokens of phones that were searched, because a list is searched again after each change. A changed phone is a new object. */
const searchedTokens = new WeakMap<SearchableProduct, Tokens>();

function tokensOf(phone: SearchableProduct): Tokens {
  const known = searchedTokens.get(phone);
  if (known) return known;
  const storage = storageOf(phone);
  const named = titleTokens(`${phone.brand} ${phone.name} ${storage > 0 ? `${storage}gb` : ""}`);
  const title = [...named, ...titleTokens(phone.colour ?? "")];
  const tokens = { title: new Set(title), all: new Set([...title, ...splitWords(phone.description)]) };
  searchedTokens.set(phone, tokens);
  return tokens;
}

/** The sort key of a phone: larger keys are first, then larger ids. */
export interface SortKey {
  key: number;
  id: string;
}

/** The factor of a saving's ratio: two different savings of prices up to 100,000 then differ by at least 1. */
const SAVING_SCALE = 10_000_000_000;

/**
 * In the order by availability: phones that can be bought, then held, then sold; within these, those with all words in
 * brand, name, storage or colour first.
 */
function availability(query: Query, phone: SearchableProduct): number {
  const isInTitle = hasAllTerms(textTermsOf(query), query.text === "" ? NO_TOKENS : tokensOf(phone).title);
  return (phone.sold ? 0 : phone.booked ? 2 : 4) + (isInTitle ? 1 : 0);
}

const NO_TOKENS: ReadonlySet<string> = new Set();

function sortValue(query: Query, phone: SearchableProduct): number {
  const { originalPrice, resalePrice } = phone;
  const { sort } = query;
  if (sort === "available") return availability(query, phone);
  if (sort === "price-up") return -resalePrice;
  if (sort === "price-down") return resalePrice;
  if (sort === "newest" || originalPrice === 0) return 0;
  // Below 2^53 for all valid prices, so it is exact and equal to the server's.
  return Math.trunc(((originalPrice - resalePrice) * SAVING_SCALE) / originalPrice);
}

/** The phone's sort key in the query's order. */
export function sortKeyOf(query: Query, phone: SearchableProduct): SortKey {
  return { key: sortValue(query, phone), id: phone._id };
}

/** Compares two sort keys: negative if a is first. */
export function compareSortKeys(a: SortKey, b: SortKey): number {
  return b.key - a.key || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
