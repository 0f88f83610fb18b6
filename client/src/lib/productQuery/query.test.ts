import { expect, test } from "vitest";
import { aProduct } from "@/testing/factories";
import { EMPTY_QUERY, matches } from "./query";

/** A phone, and how often its description was read. */
function watchedPhone(description: string) {
  const reads = { count: 0 };
  const phone = Object.defineProperty(aProduct(), "description", {
    get: () => {
      reads.count += 1;
      return description;
    },
  });
  return { phone, reads };
}

test("without search words, the texts of a phone are not read", () => {
  const { phone, reads } = watchedPhone("With a case");
  expect(matches({ ...EMPTY_QUERY, maxPrice: 300 }, phone)).toBe(true);
  expect(reads.count).toBe(0);
});

test("the texts of a phone are split into words once, for all searches; those of a changed phone again", () => {
  const { phone, reads } = watchedPhone("With a case");
  expect(matches({ ...EMPTY_QUERY, text: "case" }, phone)).toBe(true);
  expect(matches({ ...EMPTY_QUERY, text: "box" }, phone)).toBe(false);
  expect(reads.count).toBe(1);
  expect(matches({ ...EMPTY_QUERY, text: "box" }, aProduct({ description: "With its box" }))).toBe(true);
});
