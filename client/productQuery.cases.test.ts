import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  compareSortKeys,
  EMPTY_QUERY,
  matches,
  type Query,
  type SearchableProduct,
  type Sort,
  sortKeyOf,
  storageOf,
  tokenize,
} from "./src/lib/productQuery";

/** The table of cases; the server's market passes it too (market/search/query_cases_test.go). */
const cases = JSON.parse(readFileSync("../market/search/testdata/query_cases.json", "utf8")) as {
  phone: SearchableProduct;
  matches: { query: Partial<Query>; want: boolean }[];
  words: { text: string; words: string[] }[];
  found: (Partial<SearchableProduct> & { find: string[]; miss: string[] })[];
  colours: (Partial<SearchableProduct> & { has: string[]; lacks: string[] })[];
  storages: (Partial<SearchableProduct> & { want: number })[];
  phones: Partial<SearchableProduct>[];
  orders: { sort: Sort; text?: string; ids: string[] }[];
};

/** A phone of the table, which has only some fields. */
const phoneOf = (fields: Partial<SearchableProduct>): SearchableProduct => ({
  ...{ _id: "1", id: "brand", name: "", brand: "", description: "", originalPrice: 0, resalePrice: 1 },
  ...{ productCondition: "Good", verified: false, booked: false },
  ...fields,
});

test.each(cases.matches)("$query matches: $want", ({ query, want }) => {
  expect(matches({ ...EMPTY_QUERY, ...query }, cases.phone)).toBe(want);
});

test.each(cases.found)("$name is found by some words only", ({ find, miss, ...fields }) => {
  const phone = phoneOf(fields);
  const isFound = (text: string) => matches({ ...EMPTY_QUERY, text }, phone);
  expect(find.filter((text) => !isFound(text))).toEqual([]);
  expect(miss.filter(isFound)).toEqual([]);
});

test.each(cases.storages)("the storage of $name is $want", ({ want, ...fields }) => {
  expect(storageOf(phoneOf(fields))).toBe(want);
});

test.each(cases.colours)("$name in $colour has some colours only", ({ has, lacks, ...fields }) => {
  const phone = phoneOf(fields);
  const isFound = (colour: string) => matches({ ...EMPTY_QUERY, colours: [colour] }, phone);
  expect(has.filter((colour) => !isFound(colour))).toEqual([]);
  expect(lacks.filter(isFound)).toEqual([]);
});

test.each(cases.words)("$text is split into words", (row) => {
  expect(tokenize(row.text)).toEqual(row.words);
});

test.each(cases.orders)("phones are sorted by $sort for the words $text", ({ sort, text = "", ids }) => {
  const keys = cases.phones.map((phone) => sortKeyOf({ ...EMPTY_QUERY, sort, text }, phoneOf(phone)));
  expect(keys.sort(compareSortKeys).map(({ id }) => id)).toEqual(ids);
});
