// Measures the gzipped sizes of the scripts of a first visit (those that dist/index.html references, and inline ones),
// and of those that the bar of a signed-in person loads after them, on each screen.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const FIRST_VISIT_KIB = 140;
const SIGNED_IN_KIB = 10;

/** The parts of the bar that only signed-in people have. */
const BAR = ["AccountMenu", "MessagesLink", "Bell"];

const page = readFileSync("dist/index.html", "utf8");
const firstVisit = [...page.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, file]) => file);
const inPage = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) => ["in the page", script]);

const read = (file) => [file, readFileSync(`dist/assets/${file}`, "utf8")];

/** These files and those that they import statically, without the ones of a first visit. */
function withImports(files) {
  const all = new Set(files);
  for (const file of all)
    for (const [, imported] of read(file)[1].matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g))
      if (!firstVisit.includes(imported)) all.add(imported);
  return [...all];
}

/** Prints the size of each script and of all. More than the budget fails. */
function measure(what, scripts, budget) {
  let bytes = 0;
  for (const [name, script] of scripts) {
    const weight = gzipSync(script, { level: 9 }).length;
    bytes += weight;
    process.stdout.write(`${(weight / 1024).toFixed(1).padStart(7)} KiB  ${name}\n`);
  }
  process.stdout.write(`${(bytes / 1024).toFixed(1).padStart(7)} KiB  ${what}, of ${budget}\n`);
  if (bytes > budget * 1024) process.exitCode = 1;
}

measure("on a first visit", [...inPage, ...firstVisit.map(read)], FIRST_VISIT_KIB);
const bar = readdirSync("dist/assets").filter((file) =>
  BAR.some((name) => new RegExp(`^${name}-.*\\.js$`).test(file)),
);
if (bar.length !== BAR.length)
  throw new Error(`The scripts of the bar are ${bar.join(", ")}, not ${BAR.join(", ")}`);
measure("in the bar of a signed-in person", withImports(bar).map(read), SIGNED_IN_KIB);
