import { expect, test } from "vitest";
import { brandTint } from "./brandTint";

test("a brand always has the same background, out of six", () => {
  expect(brandTint("019a00000000a00000000001")).toBe(brandTint("019a00000000a00000000001"));
  const keys = Array.from({ length: 60 }, (_, n) => `019a00000000a0000000${n}`);
  expect(new Set(keys.map(brandTint)).size).toBe(6);
  expect(brandTint("")).toMatch(/^bg-tint-/);
});
