import { expect, test } from "vitest";
import { brandTint } from "./brandTint";

test("a group has one ground wherever it is shown, and different groups share six of them", () => {
  expect(brandTint("019a00000000a00000000001")).toBe(brandTint("019a00000000a00000000001"));
  const keys = Array.from({ length: 60 }, (_, n) => `019a00000000a0000000${n}`);
  expect(new Set(keys.map(brandTint)).size).toBe(6);
  expect(brandTint("")).toMatch(/^bg-tint-/);
});
