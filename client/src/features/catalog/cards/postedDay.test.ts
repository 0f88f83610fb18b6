import { expect, test } from "vitest";
import { dateIn } from "@/lib/intl";
import { day } from "@/texts/catalog";

test("each day of a year in English is as Intl writes it", () => {
  const intl = dateIn("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  for (let number = 1; number <= 366; number++) {
    const when = new Date(Date.UTC(2028, 0, number));
    expect(day(when.toISOString().slice(0, 10))).toBe(intl(when));
  }
});

test("what is no day stays as it is", () => expect(day("last summer")).toBe("last summer"));
