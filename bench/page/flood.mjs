// Measures how fast a page of 2,000 phones responds to inputs, without events and with 1,000 events a second. It uses
// the built client in a real browser, and prints a table.
//
//   node flood.mjs http://127.0.0.1:8080 [phones=2000] [events a second=1000] [seconds=10]
//
// CHROMIUM names the browser (default /usr/bin/chromium). The figures are also written to bench/results/flood.json.
import { mkdirSync, writeFileSync } from "node:fs";
import puppeteer from "puppeteer-core";
import { brandOf, signIn, tokenOf } from "./demo.mjs";
import { startProxy } from "./proxy.mjs";

const [base, count = "2000", rate = "1000", seconds = "10"] = process.argv.slice(2);
if (!base) throw new Error("The address of the server is missing: node flood.mjs http://127.0.0.1:8080");
const port = Number(process.env.FLOOD_PORT ?? 18098);
const proxyURL = `http://127.0.0.1:${port}`;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Runs in the page. Records what the browser reports about inputs, long tasks, frames and layout shifts. */
function recordPerformance() {
  const records = { inputs: new Map(), tasks: [], frames: 0, worst: 0, shifts: 0 };
  let last = performance.now();
  const frame = (now) => {
    records.frames++;
    records.worst = Math.max(records.worst, now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const input = ({ interactionId, duration, name, processingStart, processingEnd, startTime }) => {
    const before = records.inputs.get(interactionId);
    if (!interactionId || (before && before.duration >= duration)) return;
    records.inputs.set(interactionId, { name, duration, wait: processingStart - startTime, work: processingEnd - processingStart });
  };
  const handlers = {
    event: (list) => list.forEach(input),
    longtask: (list) => records.tasks.push(...list.map(({ duration }) => duration)),
    "layout-shift": (list) => list.forEach(({ value, hadRecentInput }) => (records.shifts += hadRecentInput ? 0 : value)),
  };
  const observers = Object.entries(handlers).map(([type, handle]) => {
    const observer = new PerformanceObserver((list) => handle(list.getEntries()));
    observer.observe({ type, durationThreshold: 16 });
    return [observer, handle];
  });
  window.resetRecords = () => {
    for (const [observer] of observers) observer.takeRecords();
    Object.assign(records, { inputs: new Map(), tasks: [], frames: 0, worst: 0, shifts: 0 });
    last = performance.now();
  };
  window.takeRecords = () => {
    for (const [observer, handle] of observers) handle(observer.takeRecords());
    return { ...records, inputs: [...records.inputs.values()] };
  };
}

/** Scrolls to the end until all phones are loaded, and back to the top. */
async function loadAll(page) {
  await page.waitForSelector("article");
  await page.waitForFunction(
    (wanted) => {
      const { length } = document.querySelectorAll("article");
      if (length < wanted) window.scrollTo({ top: document.body.scrollHeight, behavior: "instant" });
      return length >= wanted;
    },
    { timeout: 60_000, polling: 100 },
    Number(count),
  );
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
}

/** Returns the centre of the first button "Book Now" that is visible without scrolling, or null. */
const bookNowCentre = (page) =>
  page.evaluate(() => {
    for (const button of document.querySelectorAll("article button")) {
      const { top, bottom, left, width } = button.getBoundingClientRect();
      const isVisible = top > 120 && bottom < window.innerHeight - 20;
      if (isVisible && button.textContent === "Book Now") return { x: left + width / 2, y: (top + bottom) / 2 };
    }
    return null;
  });

/** Scrolls, opens and closes a booking dialog, and types into the search and clears it, until the time `until`. */
async function simulateUser(page, until) {
  let bookings = 0;
  while (performance.now() < until) {
    for (let i = 0; i < 4; i++) {
      await page.mouse.wheel({ deltaY: 600 });
      await sleep(60);
    }
    const centre = await bookNowCentre(page);
    if (centre) {
      await page.mouse.click(centre.x, centre.y);
      const dialog = await page.waitForSelector("dialog[open]", { timeout: 2_000 }).catch(() => null);
      if (dialog) {
        bookings++;
        await sleep(200);
        await page.keyboard.press("Escape");
        await page.waitForFunction(() => !document.querySelector("dialog[open]"), { timeout: 5_000 });
      }
    }
    const field = await page.$("input[type=search]");
    await field.click();
    await page.keyboard.type("12", { delay: 90 });
    await sleep(600);
    for (let i = 0; i < 2; i++) await page.keyboard.press("Backspace", { delay: 60 });
    await sleep(600);
  }
  return bookings;
}

/** Returns the percentile `p` of the numbers. */
function percentile(numbers, p) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1)] ?? 0;
}

/** The processor times of the main thread's tasks during a trace, and the sums by event name, milliseconds. */
function tasksOf(trace) {
  const { traceEvents } = JSON.parse(new TextDecoder().decode(trace));
  const threadOf = ({ pid, tid }) => `${pid} ${tid}`;
  const mainThreads = new Set(
    traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(threadOf),
  );
  const completed = traceEvents.filter((event) => event.ph === "X" && mainThreads.has(threadOf(event)));
  const sums = {};
  for (const { name, tdur = 0 } of completed) sums[name] = (sums[name] ?? 0) + tdur / 1000;
  const tasks = completed.filter(({ name }) => name === "RunTask").map(({ tdur = 0 }) => tdur / 1000);
  return { tasks, sums };
}

/** Seconds of processor time of the pages' processes. Unlike elapsed time, it hardly depends on other work of the machine. */
async function processorTime(page) {
  const session = await page.browser().target().createCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter(({ type }) => type === "renderer").reduce((all, { cpuTime }) => all + cpuTime, 0);
}

/** Measures for some seconds. Returns the inputs, the tasks over 50 ms and the frames. */
async function run(page, proxy, name, rate, seconds) {
  await page.evaluate(() => window.resetRecords());
  await page.tracing.start({ categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"] });
  const before = await processorTime(page);
  const [start, eventsBefore] = [performance.now(), proxy.setRate(rate)];
  const bookings = await simulateUser(page, start + seconds * 1000);
  const elapsed = (performance.now() - start) / 1000;
  const events = proxy.setRate(0) - eventsBefore;
  const after = await processorTime(page);
  const { tasks: own, sums } = tasksOf(await page.tracing.stop());
  // The browser reports an input after the next frame is on the screen.
  await sleep(1_000);
  const { inputs, tasks, frames, worst, shifts } = await page.evaluate(() => window.takeRecords());
  const durations = inputs.map(({ duration }) => duration);
  return {
    name,
    events: Math.round(events / elapsed),
    bookings,
    inputs: inputs.length,
    median: percentile(durations, 50),
    p98: percentile(durations, 98),
    worst: Math.max(0, ...durations),
    slowest: inputs.toSorted((a, b) => b.duration - a.duration).slice(0, 5),
    busy: Math.round(((after - before) / elapsed) * 100),
    tasks: tasks.length,
    longest: Math.round(Math.max(0, ...tasks)),
    frames: Math.round(frames / elapsed),
    stall: Math.round(worst),
    shifts,
    ownLongest: Math.round(Math.max(0, ...own)),
    own50: own.filter((ms) => ms > 50).length,
    sums,
  };
}

/** Returns the number of cards whose label "Booked" differs from the proxy's phones. */
async function countWrongCards(page, phones) {
  await page.waitForFunction((wanted) => document.querySelectorAll("article").length >= wanted, { timeout: 60_000 }, Number(count));
  const booked = await page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll("article")].map((card) => [
        card.getAttribute("aria-labelledby")?.replace("phone-", ""),
        [...card.querySelectorAll("span")].some(({ textContent }) => textContent === "Booked"),
      ]),
    ),
  );
  return phones.filter((phone) => booked[phone._id] !== phone.booked).length;
}

const token = await tokenOf(base);
const brand = await brandOf(base);
const proxy = await startProxy({ base, port, brand, token, count: Number(count) });
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless=new", "--no-sandbox"],
  defaultViewport: { width: 1280, height: 900 },
});
try {
  await signIn(browser, proxyURL);
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(recordPerformance);
  await page.goto(`${proxyURL}/category/${brand}`);
  await loadAll(page);
  const results = [
    await run(page, proxy, "without events", 0, Number(seconds) / 2),
    await run(page, proxy, `${rate} events a second`, Number(rate), Number(seconds)),
  ];
  process.stdout.write(
    `| ${count} phones | events/s | inputs | median ms | p98 ms | worst ms | processor | tasks over 50 ms: of them by processor time | longest ms: processor time | frames/s | longest frame ms | shift |\n` +
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
  );
  for (const result of results) {
    const { name, events, inputs, median, p98, worst, busy, tasks, longest, frames, stall, shifts, own50, ownLongest } = result;
    const cells = [name, events, inputs, median, p98, worst, `${busy} %`, `${tasks}: ${own50}`, `${longest}: ${ownLongest}`, frames, stall, shifts.toFixed(3)];
    process.stdout.write(`| ${cells.join(" | ")} |\n`);
  }
  let wrongCards = await countWrongCards(page, proxy.phones);
  for (const end = performance.now() + 30_000; wrongCards > 0 && performance.now() < end; ) {
    await sleep(500);
    wrongCards = await countWrongCards(page, proxy.phones);
  }
  process.stdout.write(`\nCards that are wrong after the events: ${wrongCards} of ${count}.\n`);
  const folder = new URL("../results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("flood.json", folder), `${JSON.stringify(results, null, 2)}\n`);
  if (wrongCards > 0) process.exitCode = 1;
} finally {
  await browser.close();
  proxy.close();
}
