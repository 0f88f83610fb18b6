import { EVERYTHING, type Query, SORTS, type Sort } from "./query";

/** The server's limits for search words and prices. */
export const MAX_TEXT = 200;
export const MAX_PRICE = 100_000;
const MAX_STORAGE = 8192;

const CONDITIONS = ["Excellent", "Good", "Fair"];

const text = (value: string | null) =>
  Array.from(value ?? "")
    .slice(0, MAX_TEXT)
    .join("");

/** A whole number up to max; 0 for anything else. */
function whole(value: string | null, max: number): number {
  const digits = (value ?? "").trim();
  return /^\d{1,9}$/.test(digits) ? Math.min(Number(digits), max) : 0;
}

/** Whole dollars; 0 for anything else. */
export const dollars = (value: string | null) => whole(value, MAX_PRICE);

const several = (all: readonly string[]) => all.flatMap((one) => one.split(",")).filter(Boolean);

const choice = (value: string | null) => (value === "true" ? true : value === "false" ? false : null);

/** Parses an address. Values that are not valid are left out: an address may be old or mistyped. */
export function readQuery(search: string): Query {
  const params = new URLSearchParams(search);
  const wanted = several(params.getAll("condition"));
  const sort = params.get("sort") as Sort;
  const minPrice = dollars(params.get("minPrice"));
  const maxPrice = dollars(params.get("maxPrice"));
  return {
    text: text(params.get("q")),
    location: text(params.get("location")),
    brands: [...new Set(several(params.getAll("brand")))].sort(),
    conditions: CONDITIONS.filter((one) => wanted.includes(one)),
    minPrice,
    // A maximum below the minimum is not complete yet: the person is typing it.
    maxPrice: maxPrice < minPrice ? 0 : maxPrice,
    minStorage: whole(params.get("minStorage"), MAX_STORAGE),
    verified: choice(params.get("verified")),
    available: choice(params.get("available")),
    sort: SORTS.includes(sort) ? sort : "newest",
  };
}

/** Formats a query for the server's calls and our addresses, without "?"; "" for everything. */
export function writeQuery(query: Query): string {
  const params = new URLSearchParams();
  const put = (name: string, value: string | number | boolean | null) => {
    if (value !== "" && value !== 0 && value !== null) params.set(name, String(value));
  };
  put("q", query.text);
  put("brand", query.brands.join(","));
  put("condition", query.conditions.join(","));
  put("minPrice", query.minPrice);
  put("maxPrice", query.maxPrice);
  put("minStorage", query.minStorage);
  put("location", query.location);
  put("verified", query.verified);
  put("available", query.available);
  put("sort", query.sort === EVERYTHING.sort ? "" : query.sort);
  return params.toString();
}

/** The number of filters that are set, without the words and the order. */
export function countFilters(query: Query): number {
  const { location, brands, conditions, minPrice, maxPrice, minStorage, verified, available } = query;
  const set = [location.trim() !== "", brands.length > 0, conditions.length > 0, minPrice > 0, maxPrice > 0];
  return [...set, minStorage > 0, verified !== null, available !== null].filter(Boolean).length;
}
