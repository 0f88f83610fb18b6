import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type ContactFinding, ENDINGS, findContact, MESSENGERS, WORD_ENDINGS } from "./src/lib/contact";

/** The table of cases; the server passes it too (market/contact/contact_test.go). */
const table = JSON.parse(readFileSync("../market/contact/testdata/contact.json", "utf8")) as {
  origin: string;
  endings: string[];
  wordEndings: string[];
  messengers: string[];
  cases: { rule: string; text: string; number?: string; paid?: boolean; want?: ContactFinding }[];
};

test.each(table.cases)("$rule: $text", ({ text, number, paid, want }) => {
  const options = { origin: table.origin, numbers: number ? [number] : [], isPaid: paid };
  expect(findContact(text, options)).toBe(want ?? "");
});

test("the lists of endings and messengers are the server's", () => {
  expect(ENDINGS).toEqual(table.endings);
  expect(WORD_ENDINGS).toEqual(table.wordEndings);
  expect(MESSENGERS).toEqual(table.messengers);
});

// A pattern that goes back would take minutes.
test.each([
  " ",
  "a",
  "1",
  "1 ",
  ".",
  "a.",
  "a. ",
  "@",
  "a@",
  "a@a.",
  " at ",
  "a at ",
  "at a.",
  " dot ",
  "(",
  "( ",
  "(at",
  "[dot] ",
  "://",
  "www.",
  "1.1.",
  "1-",
  "12.12.20",
  "2020-1-",
  "tk ",
  "$1",
  "00",
  "0.0 ",
  "01712 ",
  "\n",
  " \n",
  "whats ",
  "what's",
  "\u200b",
  "\u0332",
  "\ufdfa",
  "\u0660",
  "!",
])("6 KB of %j are checked in linear time", (part) => {
  const start = performance.now();
  findContact(part.repeat(6144 / part.length), { origin: table.origin, numbers: ["01712345678"] });
  expect(performance.now() - start).toBeLessThan(2000);
});
