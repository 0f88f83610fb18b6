// Measures the pages of a running demo with Lighthouse, several times each, and prints the medians as a table.
//
//   node run.mjs http://127.0.0.1:8080 [rounds=5] [pages…]
//
// CHROMIUM names the browser (default /usr/bin/chromium). The figures are also written to bench/results/page.json.
import { mkdirSync, writeFileSync } from "node:fs";
import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";
import puppeteer from "puppeteer-core";
import { brandOf, signIn } from "./demo.mjs";

const [base, rounds = "5", ...only] = process.argv.slice(2);
if (!base) throw new Error("The address of the server is missing: node run.mjs http://127.0.0.1:8080");

/** The path of the brand with the most available phones. */
const brandPath = async () => `/category/${await brandOf(base)}`;

/** The pages, and the Lighthouse categories of each. A page that needs a login has no SEO. */
const ALL = ["performance", "accessibility", "best-practices", "seo"];
const PAGES = [
  { name: "Home", path: () => "/", categories: ALL },
  { name: "Categories", path: () => "/categories", categories: ALL },
  { name: "Login", path: () => "/login", categories: ALL },
  { name: "A brand's phones, signed in", path: brandPath, categories: ALL.slice(0, 3), signedIn: true },
];
const DEVICES = { mobile: undefined, desktop: desktopConfig };

/** The number of failed measurements of a page that are repeated. */
const MAX_FAILURES = 2;

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** One measurement: the score of each category (0 to 100), and the times (milliseconds; CLS has no unit). */
async function measureOnce(chrome, url, device, categories) {
  const flags = { port: chrome.port, logLevel: "error", onlyCategories: categories, disableStorageReset: true };
  const { lhr } = await lighthouse(url, flags, DEVICES[device]);
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
  const audit = (name) => lhr.audits[name].numericValue;
  return {
    scores: categories.map((name) => Math.round((lhr.categories[name].score ?? 0) * 100)),
    fcp: audit("first-contentful-paint"),
    lcp: audit("largest-contentful-paint"),
    si: audit("speed-index"),
    tbt: audit("total-blocking-time"),
    cls: audit("cumulative-layout-shift"),
    // Lighthouse's benchmark of the machine. Below 1,000 the machine had other work, or is slow.
    machine: lhr.environment.benchmarkIndex,
  };
}

/** The medians of several measurements of a page, each in a new browser. */
async function measure(page, device) {
  const runs = [];
  let failed = 0;
  while (runs.length < Number(rounds)) {
    const chrome = await launch({
      chromePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      chromeFlags: ["--headless=new", "--no-sandbox"],
    });
    try {
      if (page.signedIn) {
        const browser = await puppeteer.connect({ browserURL: `http://127.0.0.1:${chrome.port}` });
        await signIn(browser, base);
        await browser.disconnect();
      }
      runs.push(await measureOnce(chrome, base + (await page.path()), device, page.categories));
    } catch (error) {
      // A recording of the browser fails sometimes. If a page fails too often, the run fails.
      if (++failed > MAX_FAILURES) throw error;
    } finally {
      await chrome.kill();
    }
  }
  const medianOf = (pick) => median(runs.map(pick));
  return {
    page: page.name,
    device,
    scores: page.categories.map((_, i) => medianOf(({ scores }) => scores[i])),
    ...Object.fromEntries(["fcp", "lcp", "si", "tbt", "cls", "machine"].map((key) => [key, medianOf((run) => run[key])])),
  };
}

const ms = (value) => Math.round(value).toLocaleString("en-US");
process.stdout.write(
  "| page | device | performance, accessibility, best practices, SEO | FCP ms | LCP ms | SI ms | TBT ms | CLS | machine |\n" +
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
);
const results = [];
for (const page of PAGES.filter(({ name }) => only.length === 0 || only.includes(name))) {
  for (const device of Object.keys(DEVICES)) {
    const row = await measure(page, device);
    results.push(row);
    const { fcp, lcp, si, tbt, cls, machine } = row;
    const times = [fcp, lcp, si, tbt].map(ms).join(" | ");
    process.stdout.write(
      `| ${row.page} | ${device} | ${row.scores.join(" / ")} | ${times} | ${cls.toFixed(3)} | ${ms(machine)} |\n`,
    );
  }
}
const folder = new URL("../results/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("page.json", folder), `${JSON.stringify(results, null, 2)}\n`);
