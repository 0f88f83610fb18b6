import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  before,
  EVERYTHING,
  type Findable,
  matches,
  placeOf,
  type Query,
  type Sort,
  words,
} from "./src/lib/find";

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
  const places = cases.phones.map((phone) => placeOf({ ...EVERYTHING, sort }, phone));
  expect(places.sort(before).map(({ id }) => id)).toEqual(ids);
});
