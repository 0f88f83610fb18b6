import { describe, expect, it } from "vitest";
import { aProduct } from "@/testing/factories";
import { distance, mostSimilar } from "./similar";

const original = aProduct({ resalePrice: 200, productCondition: "Good" });

describe("similar phones", () => {
  it("are sorted by brand first, then by price and condition", () => {
    const near = aProduct({ name: "near", resalePrice: 210 });
    const worse = aProduct({ name: "worse", resalePrice: 200, productCondition: "Fair" });
    const far = aProduct({ name: "far", resalePrice: 120 });
    const otherBrand = aProduct({ name: "other brand", resalePrice: 200, id: "b2" });
    const names = (phones: (typeof far)[]) => mostSimilar(original, phones).map(({ name }) => name);
    expect(names([otherBrand, far, worse, near])).toEqual(["near", "worse", "far"]);
    expect(names([otherBrand, near])).toEqual(["near", "other brand"]);
  });

  it("do not contain the phone itself, booked phones or duplicates", () => {
    const available = aProduct();
    expect(mostSimilar(original, [original, aProduct({ booked: true }), available, available])).toEqual([
      available,
    ]);
  });

  it("have a distance by the ratio of the prices, in both directions", () => {
    expect(distance(original, aProduct({ resalePrice: 400 }))).toBeCloseTo(
      distance(original, aProduct({ resalePrice: 100 })),
    );
    expect(distance(original, original)).toBe(0);
  });
});
