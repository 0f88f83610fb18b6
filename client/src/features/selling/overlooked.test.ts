import { expect, it } from "vitest";
import type { Product } from "@/api/types";
import { aProduct } from "@/testing/factories";
import { isOverlooked, loweredPrice } from "./overlooked";

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.parse("2026-11-21T04:00:00Z");
/** A phone that nobody watches, listed this many days ago. */
const listed = (days: number, overrides: Partial<Product> = {}) =>
  aProduct({ watchers: 0, listedAt: new Date(NOW - days * DAY).toISOString(), ...overrides });

it.each<[string, Product, boolean]>([
  ["for sale for more than a week", listed(8), true],
  ["for sale for a week", listed(7), false],
  ["watched by somebody", listed(8, { watchers: 1 }), false],
  ["booked", listed(8, { booked: true }), false],
  ["of another seller, whose watchers are not known", listed(8, { watchers: undefined }), false],
  ["listed at an unknown time", listed(8, { listedAt: undefined }), false],
])("a phone that is %s", (_, phone, expected) => {
  expect(isOverlooked(phone, NOW)).toBe(expected);
});

it.each([
  [180, 171],
  [250, 238],
  [100_000, 95_000],
  // A dollar less where 5 % is less than a dollar, and never nothing.
  [9, 8],
  [2, 1],
  [1, 1],
])("%i dollars are lowered to %i", (price, lowered) => {
  expect(loweredPrice(price)).toBe(lowered);
});
