// Measures how fast a page of 2,000 phones responds to inputs, without events and with 1,000 events a second. It uses
// the built client in a real browser, and prints a table.
//
//   node flood.mjs http://127.0.0.1:8080 [phones=2000] [events a second=1000] [seconds=10]
//
// CHROMIUM names the browser (default /usr/bin/chromium). The figures are also written to bench/results/flood.json.
import { mkdirSync, writeFileSync } from "node:fs";
import puppeteer from "puppeteer-core";
import { crowd } from "./crowd.mjs";
import { brandOf, signIn, tokenOf } from "./demo.mjs";

const [base, count = "2000", rate = "1000", seconds = "10"] = process.argv.slice(2);
if (!base) throw new Error("The address of the server is missing: node flood.mjs http://127.0.0.1:8080");
const port = Number(process.env.FLOOD_PORT ?? 18098);
const here = `http://127.0.0.1:${port}`;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Runs in the page. Records what the browser reports about inputs, long tasks and frames. */
function watch() {
  const seen = { inputs: new Map(), tasks: [], frames: 0, worst: 0, shifts: 0 };
  let last = performance.now();
  const frame = (now) => {
    seen.frames++;
    seen.worst = Math.max(seen.worst, now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const input = ({ interactionId, duration, name, processingStart, processingEnd, startTime }) => {
    const before = seen.inputs.get(interactionId);
    if (!interactionId || (before && before.duration >= duration)) return;
    seen.inputs.set(interactionId, { name, duration, wait: processingStart - startTime, work: processingEnd - processingStart });
  };
  const takes = {
    event: (list) => list.forEach(input),
    longtask: (list) => seen.tasks.push(...list.map(({ duration }) => duration)),
    "layout-shift": (list) => list.forEach(({ value, hadRecentInput }) => (seen.shifts += hadRecentInput ? 0 : value)),
  };
  const watchers = Object.entries(takes).map(([type, take]) => {
    const watcher = new PerformanceObserver((list) => take(list.getEntries()));
    watcher.observe({ type, durationThreshold: 16 });
    return [watcher, take];
  });
  window.floodBegins = () => {
    for (const [watcher] of watchers) watcher.takeRecords();
    Object.assign(seen, { inputs: new Map(), tasks: [], frames: 0, worst: 0, shifts: 0 });
    last = performance.now();
  };
  window.floodSeen = () => {
    for (const [watcher, take] of watchers) take(watcher.takeRecords());
    return { ...seen, inputs: [...seen.inputs.values()] };
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

/** The centre of the first button "Book Now" that is visible without scrolling. */
const bookNow = (page) =>
  page.evaluate(() => {
    for (const button of document.querySelectorAll("article button")) {
      const { top, bottom, left, width } = button.getBoundingClientRect();
      const isHere = top > 120 && bottom < window.innerHeight - 20;
      if (isHere && button.textContent === "Book Now") return { x: left + width / 2, y: (top + bottom) / 2 };
    }
    return null;
  });

/** Repeats what a person does: scrolls, opens and closes a booking dialog, types into the search and clears it. */
async function useIt(page, until) {
  let bookings = 0;
  while (performance.now() < until) {
    for (let turn = 0; turn < 4; turn++) {
      await page.mouse.wheel({ deltaY: 600 });
      await pause(60);
    }
    const at = await bookNow(page);
    if (at) {
      await page.mouse.click(at.x, at.y);
      const dialog = await page.waitForSelector("dialog[open]", { timeout: 2_000 }).catch(() => null);
      if (dialog) {
        bookings++;
        await pause(200);
        await page.keyboard.press("Escape");
        await page.waitForFunction(() => !document.querySelector("dialog[open]"), { timeout: 5_000 });
      }
    }
    const field = await page.$("input[type=search]");
    await field.click();
    await page.keyboard.type("12", { delay: 90 });
    await pause(600);
    for (let key = 0; key < 2; key++) await page.keyboard.press("Backspace", { delay: 60 });
    await pause(600);
  }
  return bookings;
}

/** The percentile `of` of the numbers. */
function percentile(numbers, of) {
  const inOrder = numbers.toSorted((a, b) => a - b);
  return inOrder[Math.min(inOrder.length - 1, Math.ceil((of / 100) * inOrder.length) - 1)] ?? 0;
}

/** The processor times of the main thread's tasks during a trace, and the sums by event name, milliseconds. */
function tasksOf(trace) {
  const { traceEvents } = JSON.parse(new TextDecoder().decode(trace));
  const at = ({ pid, tid }) => `${pid} ${tid}`;
  const mains = new Set(
    traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(at),
  );
  const done = traceEvents.filter((event) => event.ph === "X" && mains.has(at(event)));
  const sums = {};
  for (const { name, tdur = 0 } of done) sums[name] = (sums[name] ?? 0) + tdur / 1000;
  const tasks = done.filter(({ name }) => name === "RunTask").map(({ tdur = 0 }) => tdur / 1000);
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
async function run(page, market, name, events, seconds) {
  await page.evaluate(() => window.floodBegins());
  await page.tracing.start({ categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"] });
  const before = await processorTime(page);
  const [begun, happened] = [performance.now(), market.flood(events)];
  const bookings = await useIt(page, begun + seconds * 1000);
  const took = (performance.now() - begun) / 1000;
  const told = market.flood(0) - happened;
  const after = await processorTime(page);
  const { tasks: own, sums } = tasksOf(await page.tracing.stop());
  // The browser reports an input after the next frame is on the screen.
  await pause(1_000);
  const { inputs, tasks, frames, worst, shifts } = await page.evaluate(() => window.floodSeen());
  const durations = inputs.map(({ duration }) => duration);
  return {
    name,
    events: Math.round(told / took),
    bookings,
    inputs: inputs.length,
    median: percentile(durations, 50),
    p98: percentile(durations, 98),
    worst: Math.max(0, ...durations),
    slowest: inputs.toSorted((a, b) => b.duration - a.duration).slice(0, 5),
    busy: Math.round(((after - before) / took) * 100),
    tasks: tasks.length,
    longest: Math.round(Math.max(0, ...tasks)),
    frames: Math.round(frames / took),
    stall: Math.round(worst),
    shifts,
    ownLongest: Math.round(Math.max(0, ...own)),
    own50: own.filter((ms) => ms > 50).length,
    sums,
  };
}

/** The number of cards that differ from the market at the end. */
async function wrong(page, phones) {
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
const market = await crowd({ base, port, brand, token, count: Number(count) });
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless=new", "--no-sandbox"],
  defaultViewport: { width: 1280, height: 900 },
});
try {
  await signIn(browser, here);
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(watch);
  await page.goto(`${here}/category/${brand}`);
  await loadAll(page);
  const results = [
    await run(page, market, "without events", 0, Number(seconds) / 2),
    await run(page, market, `${rate} events a second`, Number(rate), Number(seconds)),
  ];
  process.stdout.write(
    `| ${count} phones | events/s | inputs | median ms | p98 ms | worst ms | processor | tasks over 50 ms: of them by processor time | longest ms: processor time | frames/s | longest frame ms | shift |\n` +
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
  );
  for (const one of results) {
    const { name, events, inputs, median, p98, worst, busy, tasks, longest, frames, stall, shifts, own50, ownLongest } = one;
    const cells = [name, events, inputs, median, p98, worst, `${busy} %`, `${tasks}: ${own50}`, `${longest}: ${ownLongest}`, frames, stall, shifts.toFixed(3)];
    process.stdout.write(`| ${cells.join(" | ")} |\n`);
  }
  let off = await wrong(page, market.phones);
  for (const end = performance.now() + 30_000; off > 0 && performance.now() < end; ) {
    await pause(500);
    off = await wrong(page, market.phones);
  }
  process.stdout.write(`\nCards that are wrong after the events: ${off} of ${count}.\n`);
  const folder = new URL("../results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("flood.json", folder), `${JSON.stringify(results, null, 2)}\n`);
  if (off > 0) process.exitCode = 1;
} finally {
  await browser.close();
  market.close();
}
