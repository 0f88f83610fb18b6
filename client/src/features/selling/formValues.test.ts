import { describe, expect, test } from "vitest";
import { aProduct } from "@/testing/factories";
import { type FormValues, rebase, toFormValues, toProductChange } from "./formValues";

const base = aProduct({
  version: 3,
  name: "iPhone 6",
  resalePrice: 180,
  photos: [
    { url: "/images/1.jpg", alt: "Front" },
    { url: "/images/2.jpg", alt: "" },
  ],
});
const edited = (overrides: Partial<FormValues> = {}): FormValues => ({ ...toFormValues(base), ...overrides });
const [front, back] = toFormValues(base).image;
if (!front || !back) throw new Error("The form has no two photos");

describe("the product change", () => {
  test("is null if nothing was changed", () => {
    expect(toProductChange(base, edited({ resalePrice: "$180.00" }), new Map())).toBeNull();
  });

  test("has the changed fields and the version only", () => {
    const change = toProductChange(base, edited({ resalePrice: "১৫০", location: "Sylhet" }), new Map());
    expect(change).toEqual({ version: 3, resalePrice: 150, location: "Sylhet" });
  });

  test("adds and removes the storage", () => {
    expect(toProductChange(base, edited({ storage: "128" }), new Map())).toEqual({
      version: 3,
      storage: 128,
    });
    const large = { ...base, storage: 128 };
    expect(toProductChange(large, { ...toFormValues(large), storage: "" }, new Map())).toEqual({
      version: 3,
      storage: 0,
    });
  });

  test("adds and removes the colour", () => {
    expect(toProductChange(base, edited({ colour: "Blue" }), new Map())).toEqual({
      version: 3,
      colour: "Blue",
    });
    const blue = { ...base, colour: "Blue" };
    expect(toProductChange(blue, { ...toFormValues(blue), colour: "" }, new Map())).toEqual({
      version: 3,
      colour: "",
    });
  });

  test("has the delivery and the postage, but no postage of a phone that is not sent", () => {
    expect(toProductChange(base, edited({ delivers: "send", postage: "12" }), new Map())).toEqual({
      version: 3,
      delivers: "send",
      postage: 12,
    });
    expect(toProductChange(base, edited({ delivers: "meet", postage: "twelve" }), new Map())).toEqual({
      version: 3,
      delivers: "meet",
    });
  });

  test("has all photos if one was moved, removed, added or described", () => {
    const file = new File([], "new.jpg");
    const uploadStates = new Map([[file, { status: "uploaded", url: "/images/3.jpg" } as const]]);
    const photosAfter = (image: FormValues["image"]) =>
      toProductChange(base, edited({ image }), uploadStates)?.photos;
    const [first, second] = [
      { url: "/images/1.jpg", alt: "Front" },
      { url: "/images/2.jpg", alt: "" },
    ];
    expect(photosAfter([back, front])).toEqual([second, first]);
    expect(photosAfter([front])).toEqual([first]);
    expect(photosAfter([front, { ...back, alt: "Back" }])).toEqual([first, { ...second, alt: "Back" }]);
    expect(photosAfter([front, back, { key: "n", alt: " New ", file }])).toEqual([
      first,
      second,
      { url: "/images/3.jpg", alt: "New" },
    ]);
    expect(photosAfter([front, back])).toBeUndefined();
  });
});

describe("a rebase on a changed phone", () => {
  const changed = { ...base, version: 4, resalePrice: 150, description: "Mended" };

  test("applies changes of fields that the seller has not edited", () => {
    const { applied, conflicts } = rebase(base, edited({ name: "iPhone 6 Plus" }), changed);
    expect(applied).toEqual({ resalePrice: "150", description: "Mended" });
    expect(conflicts).toEqual([]);
  });

  test("has a conflict for a field that was changed in both to different values", () => {
    const { applied, conflicts } = rebase(
      base,
      edited({ resalePrice: "170", description: "Mended" }),
      changed,
    );
    expect(applied).toEqual({});
    expect(conflicts).toEqual(["resalePrice"]);
  });

  test("applies to the photos too", () => {
    const fewer = { ...base, version: 4, photos: base.photos.slice(0, 1) };
    expect(rebase(base, edited(), fewer).applied.image).toHaveLength(1);
    expect(rebase(base, edited({ image: [back, front] }), fewer).conflicts).toEqual(["image"]);
  });

  test("does nothing if only the status changed", () => {
    expect(
      rebase(base, edited({ name: "x" }), { ...base, version: 9, verified: false, booked: true }),
    ).toEqual({
      applied: {},
      conflicts: [],
    });
  });
});
