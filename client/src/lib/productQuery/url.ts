import { parseDollars } from "@/lib/dollars";
import { CONDITIONS, MAX_PRICE } from "@/lib/productRules";
import { colourKey } from "./colours";
import { EMPTY_QUERY, MAX_STORAGE, type Query, SORT_ORDERS, type Sort } from "./query";

/** The server's limit for search words. */
export const MAX_TEXT_LENGTH = 200;

const parseText = (value: string | null) =>
  Array.from(value ?? "")
    .slice(0, MAX_TEXT_LENGTH)
    .join("");

/** Parses a whole number, at most max; 0 for anything else. */
function parseWhole(value: string | null, max: number): number {
  const digits = (value ?? "").trim();
  return /^\d{1,9}$/.test(digits) ? Math.min(Number(digits), max) : 0;
}

/** The price of a filter, as people write it; 0 for anything else. */
export function priceOf(value: string | null): number {
  const price = parseDollars(value ?? "");
  return typeof price === "number" ? Math.min(price, MAX_PRICE) : 0;
}

const parseList = (values: readonly string[]) => values.flatMap((value) => value.split(",")).filter(Boolean);

const parseBoolean = (value: string | null) => (value === "true" ? true : value === "false" ? false : null);

/** Parses sizes in GB, without the invalid ones. */
function parseSizes(values: readonly string[]): number[] {
  const sizes = parseList(values).map((value) => parseWhole(value, MAX_STORAGE));
  return [...new Set(sizes)].filter((size) => size > 0).sort((a, b) => a - b);
}

/** Colours without those that are the same, or that no phone can have. */
function parseColours(values: readonly string[]): string[] {
  const colours = new Map<string, string>();
  for (const value of parseList(values)) colours.set(colourKey(value), value.trim());
  colours.delete("");
  return [...colours.values()].sort();
}

/** Parses the query string of a URL. Invalid values are ignored: a URL may be old or mistyped. */
export function parseQuery(search: string): Query {
  const params = new URLSearchParams(search);
  const conditions = parseList(params.getAll("condition"));
  const sort = params.get("sort") as Sort;
  const minPrice = priceOf(params.get("minPrice"));
  const maxPrice = priceOf(params.get("maxPrice"));
  return {
    text: parseText(params.get("q")),
    location: parseText(params.get("location")),
    brands: [...new Set(parseList(params.getAll("brand")))].sort(),
    conditions: CONDITIONS.filter((condition) => conditions.includes(condition)),
    minPrice,
    // A maximum below the minimum is ignored: the user is still typing it.
    maxPrice: maxPrice < minPrice ? 0 : maxPrice,
    minStorage: parseWhole(params.get("minStorage"), MAX_STORAGE),
    storage: parseSizes(params.getAll("storage")),
    colours: parseColours(params.getAll("colour")),
    verified: parseBoolean(params.get("verified")),
    available: parseBoolean(params.get("available")),
    sort: SORT_ORDERS.includes(sort) ? sort : EMPTY_QUERY.sort,
  };
}

/** Formats a query for requests and for URLs of this site, without "?"; "" for an empty query. */
export function formatQuery(query: Query): string {
  const params = new URLSearchParams();
  const setParam = (name: string, value: string | number | boolean | null) => {
    if (value !== "" && value !== 0 && value !== null) params.set(name, String(value));
  };
  setParam("q", query.text);
  setParam("brand", query.brands.join(","));
  setParam("condition", query.conditions.join(","));
  setParam("minPrice", query.minPrice);
  setParam("maxPrice", query.maxPrice);
  setParam("minStorage", query.minStorage);
  setParam("storage", query.storage.join(","));
  setParam("colour", query.colours.join(","));
  setParam("location", query.location);
  setParam("verified", query.verified);
  setParam("available", query.available);
  setParam("sort", query.sort === EMPTY_QUERY.sort ? "" : query.sort);
  return params.toString();
}

/** The number of filters that are set, without the search text and the order. */
export function countFilters(query: Query): number {
  const { location, brands, conditions, minPrice, maxPrice, minStorage, storage, colours, verified } = query;
  const isSet = [
    location.trim() !== "",
    brands.length > 0,
    conditions.length > 0,
    minPrice > 0,
    maxPrice > 0,
  ];
  const more = [minStorage > 0, storage.length > 0, colours.length > 0, verified !== null];
  return [...isSet, ...more, query.available !== null].filter(Boolean).length;
}
