import { describe, expect, test } from "vitest";
import { moneyOf, numberOf, pluralOf } from "./english";
import { moneyIn, numberIn, pluralIn } from "./intl";

describe.each([0, 1, 2, 21, 999, 1000, 12_345, 100_000, 1_234_567])(
  "%d in English is as Intl writes it",
  (n) => {
    test("as a number", () => expect(numberOf(n)).toBe(numberIn("en-GB")(n)));
    test("as money", () => expect(moneyOf(n)).toBe(moneyIn("en-GB")(n)));
    test("in a sentence", () => {
      const forms = { one: "# phone", other: "# phones" };
      expect(pluralOf(n, forms)).toBe(pluralIn("en-GB")(n, forms));
    });
  },
);

test("other languages have their own forms and figures", () => {
  expect(pluralIn("ar-EG")(3, { few: "few #", other: "other" })).toBe("few \u0663");
  expect(numberIn("de")(1250)).toBe("1.250");
});
