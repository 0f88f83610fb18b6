import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The only file that reads the device's clock; every other one asks it for the server's time or for a duration. */
const CLOCK = "src/lib/serverTime.ts";
const READS_CLOCK =
  /\bDate\.now\b|\bnew Date\(\s*\)|[^.\w]Date\(\s*\)|\bperformance\.now\b|\bTemporal\.Now\b/;

test.each([
  "const now = Date.now();",
  "useState(Date.now)",
  "today(now = new Date())",
  "new Date( ).getFullYear()",
  "const start = performance.now();",
  "String(Date())",
])("reads the device's clock: %s", (line) => {
  expect(line).toMatch(READS_CLOCK);
});

test("no file but the clock's reads the device's clock", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^src\/testing\//.test(file) && file !== CLOCK);
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => READS_CLOCK.test(readFileSync(file, "utf8")))).toEqual([]);
});
