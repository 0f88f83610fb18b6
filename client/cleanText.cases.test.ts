import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cleanCode, cleanEmail, cleanLine, cleanLines, cleanNumber, cleanPhone } from "./src/lib/cleanText";
import { parseDollars, type WrongDollars } from "./src/lib/dollars";

/** The tables of cases; the server passes them too (market/texts/clean_test.go, market/texts/dollars_test.go). */
const readTable = (name: string): unknown =>
  JSON.parse(readFileSync(`../market/texts/testdata/${name}`, "utf8"));
const texts = readTable("texts.json") as {
  cases: { kind: keyof typeof cleaners; text: string; want: string }[];
  characters: { from: string; to: string; want: string }[];
};
const dollars = readTable("dollars.json") as {
  cases: { text: string; dollars?: number; wrong?: WrongDollars }[];
};

const cleaners = {
  line: cleanLine,
  lines: cleanLines,
  number: cleanNumber,
  code: cleanCode,
  phone: cleanPhone,
  email: cleanEmail,
};

test.each(texts.cases)("$kind $text becomes $want", ({ kind, text, want }) => {
  expect(cleaners[kind](text)).toBe(want);
  expect(cleaners[kind](want)).toBe(want);
});

test("every character of Unicode that the table does not name stays", () => {
  const want = new Map<number, string>();
  for (const range of texts.characters)
    for (let code = Number.parseInt(range.from, 16); code <= Number.parseInt(range.to, 16); code++)
      want.set(code, range.want);
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue; // half a character
    const c = String.fromCodePoint(code);
    if (cleanLine(`x${c}y`) !== `x${want.get(code) ?? c}y`) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

test.each(dollars.cases)("$text is $dollars dollars, wrong: $wrong", ({ text, dollars: want, wrong }) => {
  expect(parseDollars(text)).toBe(want ?? wrong);
});
