import { expect, test } from "vitest";
import { passwordStrength } from "./passwordStrength";

test.each([
  ["", "weak"],
  ["123456", "weak"],
  ["password", "weak"],
  ["aaaaaaaaaaaaaaaaaaaa", "weak"],
  ["abcdefghijklmnopqrstuvwxyz", "weak"],
  ["Abcabcabcabcabcabc", "weak"],
  ["dodododododododo", "weak"],
  ["qwerty123456", "weak"],
  ["aK3$xM9!", "fair"],
  ["kettlebrook", "fair"],
  ["correct horse", "strong"],
  ["kT7#pr9Lw2", "strong"],
  ["পাসওয়ার্ড নতুন করে লিখি", "strong"],
])("%j is %s", (password, strength) => {
  expect(passwordStrength(password)).toBe(strength);
});
