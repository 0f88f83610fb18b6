import { describe, expect, it } from "vitest";
import { aProduct } from "@/testing/factories";
import { distance, mostAlike } from "./similar";

const wanted = aProduct({ resalePrice: 200, productCondition: "Good" });

describe("the phones most like a lost one", () => {
  it("are of its brand first, the nearest in price and condition before the others", () => {
    const near = aProduct({ name: "near", resalePrice: 210 });
    const worse = aProduct({ name: "worse", resalePrice: 200, productCondition: "Fair" });
    const far = aProduct({ name: "far", resalePrice: 120 });
    const other = aProduct({ name: "other brand", resalePrice: 200, id: "b2" });
    const names = (phones: (typeof far)[]) => mostAlike(wanted, phones).map(({ name }) => name);
    expect(names([other, far, worse, near])).toEqual(["near", "worse", "far"]);
    expect(names([other, near])).toEqual(["near", "other brand"]);
  });

  it("are never itself, one that is booked, or one twice", () => {
    const free = aProduct();
    expect(mostAlike(wanted, [wanted, aProduct({ booked: true }), free, free])).toEqual([free]);
  });

  it("are as far above as below, by the ratio of the prices", () => {
    expect(distance(wanted, aProduct({ resalePrice: 400 }))).toBeCloseTo(
      distance(wanted, aProduct({ resalePrice: 100 })),
    );
    expect(distance(wanted, wanted)).toBe(0);
  });
});
