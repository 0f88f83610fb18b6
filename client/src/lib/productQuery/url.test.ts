import { expect, test } from "vitest";
import { countFilters, EMPTY_QUERY, formatQuery, parseQuery, type Query } from "@/lib/productQuery";

test("an empty query is formatted as an empty string, and parsed from it", () => {
  expect(formatQuery(EMPTY_QUERY)).toBe("");
  expect(parseQuery("")).toEqual(EMPTY_QUERY);
});

test("a query is equal after formatting and parsing", () => {
  const query: Query = {
    text: "é &=+ 6s",
    location: "Mirpur, Dhaka",
    brands: ["b1", "b2"],
    conditions: ["Excellent", "Fair"],
    minPrice: 100,
    maxPrice: 900,
    minStorage: 128,
    storage: [64, 256],
    colours: ["Sky blue", "blue"],
    verified: true,
    available: false,
    sort: "price-up",
  };
  expect(parseQuery(`?${formatQuery(query)}`)).toEqual(query);
});

test.each([
  ["an unknown condition", "condition=Superb,Good", { conditions: ["Good"] }],
  ["a repeated condition", "condition=Fair&condition=Good,Fair", { conditions: ["Good", "Fair"] }],
  ["an unknown order", "sort=random", {}],
  ["an invalid price", "minPrice=cheap&maxPrice=-3", {}],
  ["an invalid storage", "minStorage=much&storage=,x,0,-3,64.5", {}],
  ["a repeated storage", "storage=256,64&storage=64", { storage: [64, 256] }],
  [
    "a repeated colour, or one without letters",
    "colour=red,!&colour=RED, blue",
    { colours: ["RED", "blue"] },
  ],
  ["a price above the maximum", "maxPrice=9999999", { maxPrice: 100_000 }],
  ["a maximum below the minimum", "minPrice=500&maxPrice=6", { minPrice: 500 }],
  ["an invalid boolean", "verified=maybe&available=1", {}],
])("%s is ignored or limited", (_, search, expected) => {
  expect(parseQuery(search)).toEqual({ ...EMPTY_QUERY, ...expected });
});

test("a search text longer than the server allows is truncated", () => {
  expect(parseQuery(`q=${"x".repeat(300)}`).text).toHaveLength(200);
});

test("the search text and the order are not counted as filters", () => {
  expect(countFilters(parseQuery("q=one&sort=saving"))).toBe(0);
  expect(countFilters(parseQuery("minPrice=1&maxPrice=2&verified=true&condition=Good,Fair&location=+"))).toBe(
    4,
  );
});
