import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  before,
  EVERYTHING,
  type Findable,
  matches,
  type Query,
  type Sort,
  sortKeyOf,
  words,
} from "./src/lib/productQuery";

/** The table of cases that the server's market is held to as well. */
const cases = JSON.parse(readFileSync("../market/testdata/query_cases.json", "utf8")) as {
  phone: Findable;
  matches: { query: Partial<Query>; want: boolean }[];
  words: { text: string; words: string[] }[];
  phones: Findable[];
  orders: { sort: Sort; ids: string[] }[];
};

test.each(cases.matches)("$query matches: $want", ({ query, want }) => {
  expect(matches({ ...EVERYTHING, ...query }, cases.phone)).toBe(want);
});

test.each(cases.words)("the words of $text", (row) => {
  expect(words(row.text)).toEqual(row.words);
});

test.each(cases.orders)("phones in order $sort", ({ sort, ids }) => {
  const keys = cases.phones.map((phone) => sortKeyOf({ ...EVERYTHING, sort }, phone));
  expect(keys.sort(before).map(({ id }) => id)).toEqual(ids);
});
