// Measures the gzipped size of the scripts that a first visit loads: those that dist/index.html references, and inline
// ones.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const BUDGET_KIB = 140;

const page = readFileSync("dist/index.html", "utf8");
const files = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file]) => file);
const inPage = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) => ["in the page", script]);
let bytes = 0;
for (const [name, script] of [...inPage, ...files.map((file) => [file, readFileSync(`dist/${file}`)])]) {
  const weight = gzipSync(script, { level: 9 }).length;
  bytes += weight;
  process.stdout.write(`${(weight / 1024).toFixed(1).padStart(7)} KiB  ${name}\n`);
}
process.stdout.write(`${(bytes / 1024).toFixed(1).padStart(7)} KiB  in all, of ${BUDGET_KIB}\n`);
if (bytes > BUDGET_KIB * 1024) process.exitCode = 1;
