import { expect, test } from "vitest";
import { tintOf } from "./tint";

test("a group has one ground wherever it is shown, and different groups share six of them", () => {
  expect(tintOf("019a00000000a00000000001")).toBe(tintOf("019a00000000a00000000001"));
  const keys = Array.from({ length: 60 }, (_, n) => `019a00000000a0000000${n}`);
  expect(new Set(keys.map(tintOf)).size).toBe(6);
  expect(tintOf("")).toMatch(/^bg-tint-/);
});
