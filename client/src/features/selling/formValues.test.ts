import { describe, expect, test } from "vitest";
import { aProduct } from "@/testing/factories";
import { changeOf, type FormValues, formValuesOf, rebase } from "./formValues";

const base = aProduct({
  version: 3,
  name: "iPhone 6",
  resalePrice: 180,
  photos: [
    { url: "/images/1.jpg", alt: "Front" },
    { url: "/images/2.jpg", alt: "" },
  ],
});
const mine = (over: Partial<FormValues> = {}): FormValues => ({ ...formValuesOf(base), ...over });
const [front, back] = formValuesOf(base).image;
if (!front || !back) throw new Error("two photos");

describe("a change", () => {
  test("is nothing where all is as it was", () => {
    expect(changeOf(base, mine({ name: " iPhone 6 " }), new Map())).toBeNull();
  });

  test("names only what is different, and the version it was made from", () => {
    const change = changeOf(base, mine({ resalePrice: "150", location: " Sylhet " }), new Map());
    expect(change).toEqual({ version: 3, resalePrice: 150, location: "Sylhet" });
  });

  test("adds and removes the storage", () => {
    expect(changeOf(base, mine({ storage: "128" }), new Map())).toEqual({ version: 3, storage: 128 });
    const large = { ...base, storage: 128 };
    expect(changeOf(large, { ...formValuesOf(large), storage: "" }, new Map())).toEqual({
      version: 3,
      storage: 0,
    });
  });

  test("has all photos in their order where one moved, went, came, or was described", () => {
    const sent = new File([], "new.jpg");
    const sendings = new Map([[sent, { is: "there", url: "/images/3.jpg" } as const]]);
    const photosAfter = (image: FormValues["image"]) => changeOf(base, mine({ image }), sendings)?.photos;
    const [one, two] = [
      { url: "/images/1.jpg", alt: "Front" },
      { url: "/images/2.jpg", alt: "" },
    ];
    expect(photosAfter([back, front])).toEqual([two, one]);
    expect(photosAfter([front])).toEqual([one]);
    expect(photosAfter([front, { ...back, alt: "Back" }])).toEqual([one, { ...two, alt: "Back" }]);
    expect(photosAfter([front, back, { key: "n", alt: " New ", file: sent }])).toEqual([
      one,
      two,
      { url: "/images/3.jpg", alt: "New" },
    ]);
    expect(photosAfter([front, back])).toBeUndefined();
  });
});

describe("what somebody else changed meanwhile", () => {
  const now = { ...base, version: 4, resalePrice: 150, description: "Mended" };

  test("is taken over where the seller had left it alone", () => {
    const { applied, conflicts } = rebase(base, mine({ name: "iPhone 6 Plus" }), now);
    expect(applied).toEqual({ resalePrice: "150", description: "Mended" });
    expect(conflicts).toEqual([]);
  });

  test("is contested where the seller changed the same, unless to the same", () => {
    const { applied, conflicts } = rebase(base, mine({ resalePrice: "170", description: "Mended" }), now);
    expect(applied).toEqual({});
    expect(conflicts).toEqual(["resalePrice"]);
  });

  test("may be the photos", () => {
    const fewer = { ...base, version: 4, photos: base.photos.slice(0, 1) };
    expect(rebase(base, mine(), fewer).applied.image).toHaveLength(1);
    expect(rebase(base, mine({ image: [back, front] }), fewer).conflicts).toEqual(["image"]);
  });

  test("is nothing where only its standing changed", () => {
    expect(rebase(base, mine({ name: "x" }), { ...base, version: 9, verified: false, booked: true })).toEqual(
      {
        applied: {},
        conflicts: [],
      },
    );
  });
});
