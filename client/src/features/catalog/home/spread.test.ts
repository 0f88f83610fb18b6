import { describe, expect, test } from "vitest";
import type { Product } from "@/api/types";
import { aProduct } from "@/testing/factories";
import { inOrderOf, spread } from "./spread";

const idsOf = (...phones: Product[]) => phones.map(({ _id }) => _id);

describe("the advertised items", () => {
  const of = (sellerName: string) => aProduct({ sellerName });

  test("are newest first where no seller has more than two of the first", () => {
    const phones = ["Ann", "Bob", "Ann", "Cid"].map(of);
    expect(spread(phones)).toEqual(idsOf(...phones));
  });

  test("have at most two of one seller among the first twelve, and the others of that seller after them", () => {
    const flood = Array.from({ length: 20 }, () => of("Ann"));
    const others = Array.from({ length: 11 }, (_, i) => of(`Seller ${i}`));
    const [first, second, ...rest] = flood;
    expect(spread([...flood, ...others])).toEqual(
      idsOf(first as Product, second as Product, ...others.slice(0, 10), ...rest, ...others.slice(10)),
    );
  });

  test("of one seller alone are all there, newest first", () => {
    const flood = Array.from({ length: 20 }, () => of("Ann"));
    expect(spread(flood)).toEqual(idsOf(...flood));
  });
});

test("a list keeps its first order: newer items are before it, further pages after it", () => {
  const shown = ["c", "a", "b"];
  expect(inOrderOf(shown, ["c", "b", "a"])).toEqual(["c", "a", "b"]);
  expect(inOrderOf(shown, ["d", "b", "a", "0"])).toEqual(["d", "a", "b", "0"]);
  expect(inOrderOf(shown, ["e"])).toEqual(["e"]);
  expect(inOrderOf([], ["e", "d"])).toEqual(["e", "d"]);
});
