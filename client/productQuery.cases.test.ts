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
  tokenize,
} from "./src/lib/productQuery";

/** The table of cases; the server's market passes it too (market/querycases_test.go). */
const cases = JSON.parse(readFileSync("../market/testdata/query_cases.json", "utf8")) as {
  phone: SearchableProduct;
  matches: { query: Partial<Query>; want: boolean }[];
  words: { text: string; words: string[] }[];
  phones: SearchableProduct[];
  orders: { sort: Sort; ids: string[] }[];
};

test.each(cases.matches)("$query matches: $want", ({ query, want }) => {
  expect(matches({ ...EMPTY_QUERY, ...query }, cases.phone)).toBe(want);
});

test.each(cases.words)("$text is split into words", (row) => {
  expect(tokenize(row.text)).toEqual(row.words);
});

test.each(cases.orders)("phones are sorted by $sort", ({ sort, ids }) => {
  const keys = cases.phones.map((phone) => sortKeyOf({ ...EMPTY_QUERY, sort }, phone));
  expect(keys.sort(compareSortKeys).map(({ id }) => id)).toEqual(ids);
});
