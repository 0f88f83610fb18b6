import { describe, expect, test } from "vitest";
import type { Product } from "@/api/types";
import { aProduct } from "@/testing/factories";
import { featured } from "./featured";

const photo = { url: "/images/a.jpg", alt: "" };

/** A phone with the highest value of each criterion, of a separate seller. */
let sellerCount = 0;
const best = (overrides: Partial<Product> = {}) =>
  aProduct({
    sellerName: `Seller ${++sellerCount}`,
    verified: true,
    productCondition: "Excellent",
    photos: [photo, photo],
    originalPrice: 500,
    resalePrice: 350,
    ...overrides,
  });

const idsOf = (...phones: Product[]) => phones.map(({ _id }) => _id);

describe("the featured phones", () => {
  test("are sorted by verification, condition, photos and saving, then newest first", () => {
    const unverified = best({ verified: false });
    const fair = best({ productCondition: "Fair" });
    const good = best({ productCondition: "Good" });
    const onePhoto = best({ photos: [photo] });
    const noSaving = best({ resalePrice: 351 });
    const allCriteria = best();
    expect(featured([unverified, fair, good, allCriteria])).toEqual(idsOf(allCriteria, good, fair));
    expect(featured([unverified, good, onePhoto, noSaving])).toEqual(idsOf(noSaving, onePhoto, good));
    expect(featured([unverified, fair, allCriteria])).toEqual(idsOf(allCriteria, fair, unverified));
  });

  test("are sorted newest first if these are equal; the amount of the saving does not count", () => {
    const [newest, second, third] = [best(), best({ originalPrice: 100_000 }), best()];
    expect(featured([newest, second, third, best()])).toEqual(idsOf(newest, second, third));
  });

  test("are the best phone of each seller", () => {
    const [newer, better] = [
      best({ sellerName: "Sam", productCondition: "Good" }),
      best({ sellerName: " sam " }),
    ];
    const others = [best({ productCondition: "Good" }), best({ productCondition: "Fair" })];
    expect(featured([newer, better, ...others])).toEqual(idsOf(better, ...others));
    expect(featured([newer, better])).toEqual(idsOf(better));
  });
});
