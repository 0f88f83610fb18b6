import { expect, test } from "vitest";
import { countFilters, EVERYTHING, type Query, readQuery, writeQuery } from "@/lib/productQuery";

test("an address contains what is searched for, and is empty for everything", () => {
  expect(writeQuery(EVERYTHING)).toBe("");
  expect(readQuery("")).toEqual(EVERYTHING);
});

test("a query is parsed from its address unchanged", () => {
  const query: Query = {
    text: "é &=+ 6s",
    location: "Mirpur, Dhaka",
    brands: ["b1", "b2"],
    conditions: ["Excellent", "Fair"],
    minPrice: 100,
    maxPrice: 900,
    minStorage: 128,
    verified: true,
    available: false,
    sort: "price-up",
  };
  expect(readQuery(`?${writeQuery(query)}`)).toEqual(query);
});

test.each([
  ["a condition that is none", "condition=Superb,Good", { conditions: ["Good"] }],
  ["a condition sent twice", "condition=Fair&condition=Good,Fair", { conditions: ["Good", "Fair"] }],
  ["an order that is none", "sort=random", {}],
  ["a price that is none", "minPrice=cheap&maxPrice=-3", {}],
  ["a storage that is none", "minStorage=much", {}],
  ["a price above all", "maxPrice=9999999", { maxPrice: 100_000 }],
  ["an upper price below the lower, half typed", "minPrice=500&maxPrice=6", { minPrice: 500 }],
  ["a choice that is none", "verified=maybe&available=1", {}],
])("%s is read as far as it can be", (_, search, wanted) => {
  expect(readQuery(search)).toEqual({ ...EVERYTHING, ...wanted });
});

test("words longer than the server allows are cut", () => {
  expect(readQuery(`q=${"x".repeat(300)}`).text).toHaveLength(200);
});

test("the words and the order count as no filter", () => {
  expect(countFilters(readQuery("q=one&sort=saving"))).toBe(0);
  expect(countFilters(readQuery("minPrice=1&maxPrice=2&verified=true&condition=Good,Fair&location=+"))).toBe(
    4,
  );
});
