import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";
import puppeteer from "puppeteer-core";
import { brandOf, signIn } from "./demo.mjs";
const [base, path, form = "mobile", n = "1"] = process.argv.slice(2);
const med = (x) => x.toSorted((a, b) => a - b)[Math.floor(x.length / 2)];
const rows = [];
for (let i = 0; i < Number(n); i++) {
  const chrome = await launch({ chromePath: "/usr/bin/chromium", chromeFlags: ["--headless=new", "--no-sandbox"] });
  try {
    let p = path;
    if (path === "brand") { p = `/category/${await brandOf(base)}`;
      const b = await puppeteer.connect({ browserURL: `http://127.0.0.1:${chrome.port}` }); await signIn(b, base); await b.disconnect(); }
    const { lhr } = await lighthouse(base + p, { port: chrome.port, logLevel: "error", onlyCategories: ["performance"], disableStorageReset: true }, form === "desktop" ? desktopConfig : undefined);
    const v = (k) => Math.round(lhr.audits[k].numericValue);
    const m = lhr.audits.metrics?.details?.items?.[0] ?? {}; if (lhr.runtimeError) console.log(lhr.runtimeError);
    rows.push({ s: lhr.categories.performance.score * 100, fcp: v("first-contentful-paint"), lcp: v("largest-contentful-paint"), si: v("speed-index"), tbt: v("total-blocking-time"), ofcp: m.observedFirstContentfulPaint, olcp: m.observedLargestContentfulPaint });
    console.log(JSON.stringify(rows.at(-1)));
    if (i === 0) {
      const l = lhr.audits["largest-contentful-paint-element"] ?? lhr.audits["lcp-breakdown-insight"];
      console.log(JSON.stringify(l?.details?.items?.map((x) => x.items ? x.items : x), null, 0)?.slice(0, 1500));
      for (const t of lhr.audits["long-tasks"]?.details?.items ?? []) console.log("task", Math.round(t.startTime), Math.round(t.duration), t.url.replace(base, ""));
      for (const t of lhr.audits["mainthread-work-breakdown"]?.details?.items ?? []) console.log("work", t.groupLabel, Math.round(t.duration));
      for (const t of lhr.audits["bootup-time"]?.details?.items ?? []) console.log("boot", t.url.replace(base, ""), Math.round(t.total), Math.round(t.scripting), Math.round(t.scriptParseCompile));
      if (!process.env.NET) continue;
      for (const r of lhr.audits["network-requests"].details.items) console.log(Math.round(r.networkRequestTime), Math.round(r.networkEndTime), r.transferSize, r.priority, r.url.replace(base, "").slice(0, 90));
    }
  } finally { await chrome.kill(); }
}
console.log("median", Object.fromEntries(Object.keys(rows[0]).map((k) => [k, med(rows.map((r) => r[k]))])));
