import { describe, expect, test } from "vitest";
import type { Product } from "@/api/types";
import { aProduct } from "@/testing/factories";
import { inOrderOf, spread } from "./spread";

const idsOf = (...phones: Product[]) => phones.map(({ _id }) => _id);

describe("the advertised items", () => {
  const phoneOf = (sellerName: string) => aProduct({ sellerName });

  test("are newest first where no seller has more than two of the first", () => {
    const phones = ["Ann", "Bob", "Ann", "Cid"].map(phoneOf);
    expect(spread(phones)).toEqual(idsOf(...phones));
  });

  test("have at most two of one seller among the first twelve, and the others of that seller after them", () => {
    const annsPhones = Array.from({ length: 20 }, () => phoneOf("Ann"));
    const othersPhones = Array.from({ length: 11 }, (_, i) => phoneOf(`Seller ${i}`));
    const [first, second, ...rest] = annsPhones;
    expect(spread([...annsPhones, ...othersPhones])).toEqual(
      idsOf(
        first as Product,
        second as Product,
        ...othersPhones.slice(0, 10),
        ...rest,
        ...othersPhones.slice(10),
      ),
    );
  });

  test("of a single seller are all shown, newest first", () => {
    const annsPhones = Array.from({ length: 20 }, () => phoneOf("Ann"));
    expect(spread(annsPhones)).toEqual(idsOf(...annsPhones));
  });
});

test("a list keeps its order, with newer items before and further pages after its items", () => {
  const shown = ["c", "a", "b"];
  expect(inOrderOf(shown, ["c", "b", "a"])).toEqual(["c", "a", "b"]);
  expect(inOrderOf(shown, ["d", "b", "a", "0"])).toEqual(["d", "a", "b", "0"]);
  expect(inOrderOf(shown, ["e"])).toEqual(["e"]);
  expect(inOrderOf([], ["e", "d"])).toEqual(["e", "d"]);
});
