import { readFileSync } from "node:fs";
import puppeteer from "puppeteer-core";
import { brandOf, signIn } from "./demo.mjs";
const [base, path] = process.argv.slice(2);
const browser = await puppeteer.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"], headless: true });
let p = path;
if (path === "brand") { p = `/category/${await brandOf(base)}`; await signIn(browser, base); }
const page = await browser.newPage();
await page.setViewport({ width: 412, height: 823, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true });
const c = await page.createCDPSession();
await c.send("Emulation.setCPUThrottlingRate", { rate: 4 });
await page.tracing.start({ path: "/tmp/t.json", categories: ["devtools.timeline", "v8.execute", "v8", "toplevel", "blink.user_timing", "disabled-by-default-v8.cpu_profiler"] });
await page.goto(base + p, { waitUntil: "networkidle0" });
await new Promise((r) => setTimeout(r, 1500));
await page.tracing.stop();
await browser.close();
const { traceEvents: ev } = JSON.parse(readFileSync("/tmp/t.json", "utf8"));
const main = ev.filter((e) => e.name === "CrRendererMain" || (e.name === "thread_name" && e.args?.name === "CrRendererMain"));
const nav = ev.find((e) => e.name === "navigationStart" && e.args?.data?.documentLoaderURL?.startsWith(base)) ?? ev.find((e) => e.name === "ResourceSendRequest");
const { pid, tid } = ev.filter(e=>e.name==="ResourceSendRequest"||e.name==="ParseHTML").at(-1);
const mine = ev.filter((e) => e.pid === pid && e.tid === tid && e.ph === "X").sort((a, b) => a.ts - b.ts);
const t0 = mine.find((e) => e.name === "ParseHTML")?.ts ?? mine[0].ts;
for (const task of mine.filter((e) => e.name === "RunTask" || e.name === "ThreadControllerImpl::RunTask").filter((e) => e.dur > 45000)) {
  const inside = mine.filter((e) => e !== task && e.ts >= task.ts && e.ts + e.dur <= task.ts + task.dur && e.dur > 1500);
  console.log("TASK", ((task.ts - t0) / 1000).toFixed(0), (task.dur / 1000).toFixed(0));
  const sum = {};
  for (const e of inside) { const k = e.name + " " + (e.args?.data?.functionName ?? e.args?.data?.url?.split("/").at(-1) ?? e.args?.beginData?.frame ?? ""); sum[k] ??= [0, 0]; sum[k][0] += e.dur / 1000; sum[k][1]++; }
  for (const [k, [d, n]] of Object.entries(sum).sort((a, b) => b[1][0] - a[1][0]).slice(0, 12)) console.log("    ", d.toFixed(0), n, k);
}
// CPU profile samples by function within long tasks
const chunks = ev.filter((e) => e.name === "ProfileChunk" && e.pid === pid);
const prof = ev.find((e) => e.name === "Profile" && e.pid === pid && e.tid === tid);
const nodes = new Map(); let time = prof?.args.data.startTime ?? 0; const samples = [];
for (const ch of chunks.filter((x) => x.id === prof?.id)) {
  for (const n of ch.args.data.cpuProfile?.nodes ?? []) nodes.set(n.id, n);
  const s = ch.args.data.cpuProfile?.samples ?? [], d = ch.args.data.timeDeltas ?? [];
  s.forEach((id, i) => { time += d[i]; samples.push([time, id, d[i]]); });
}
for (const task of mine.filter((e) => e.name === "RunTask" || e.name === "ThreadControllerImpl::RunTask").filter((e) => e.dur > 45000)) {
  const tot = new Map();
  for (const [t, id, d] of samples) if (t >= task.ts && t <= task.ts + task.dur) {
    const seen = new Set(); for (let n = nodes.get(id); n; n = nodes.get(n.parent)) { const k = `${n.callFrame.functionName} ${n.callFrame.url?.split("/").at(-1)}:${n.callFrame.lineNumber}:${n.callFrame.columnNumber}`; if (!seen.has(k)) { seen.add(k); tot.set(k, (tot.get(k) ?? 0) + d / 1000); } }
  }
  console.log("PROFILE of", ((task.ts - t0) / 1000).toFixed(0), (task.dur / 1000).toFixed(0));
  for (const [k, d] of [...tot].sort((a, b) => b[1] - a[1]).slice(0, 22)) console.log("    ", d.toFixed(0), k);
}
