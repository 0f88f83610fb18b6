import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { onServerTimeChange, serverNow, timedFetch } from "./serverTime";
import { onWake } from "./wake";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What the device's clock is ahead of the server's, milliseconds. */
const WRONG_CLOCKS = [
  ["right", 0],
  ["90 s ahead", 90 * SECOND],
  ["an hour ahead", HOUR],
  ["two hours ahead", 2 * HOUR],
  ["a day ahead", DAY],
  ["five years ahead", 5 * 365 * DAY],
  ["seven minutes behind", -7 * MINUTE],
  ["an hour behind", -HOUR],
  ["two hours behind", -2 * HOUR],
  ["a day behind", -DAY],
  ["in 1970", 1000 - Date.parse("2026-11-21T04:00:00.400Z")],
] as const;

/** The time of the server; the device's clock is ahead of it by `ahead`. */
let ahead = 0;
const realNow = () => Date.now() - ahead;
const setAhead = (ms: number) => {
  const now = realNow();
  ahead = ms;
  vi.setSystemTime(now + ms);
};

beforeEach(() => {
  ahead = 0;
  vi.useFakeTimers({ now: Date.parse("2026-11-21T04:00:00.400Z") });
  vi.stubGlobal("fetch", async () => {
    await vi.advanceTimersByTimeAsync(80);
    const date = new Date(Math.floor(realNow() / SECOND) * SECOND).toUTCString();
    await vi.advanceTimersByTimeAsync(60);
    return new Response(null, { headers: { Date: date } });
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const error = () => Math.abs(serverNow() - realNow());

describe.each(WRONG_CLOCKS)("a clock that is %s", (_, ms) => {
  it("is corrected by the first response, to a second", async () => {
    setAhead(ms);
    await timedFetch("/");
    expect(error()).toBeLessThanOrEqual(SECOND);
  });

  it("is corrected more precisely by further responses", async () => {
    setAhead(ms);
    for (let response = 0; response < 12; response++) {
      await timedFetch("/");
      await vi.advanceTimersByTimeAsync(830);
    }
    expect(error()).toBeLessThanOrEqual(250);
  });
});

describe.each(WRONG_CLOCKS.slice(1))("a clock that is set to be %s while the page is open", (_, ms) => {
  it("is corrected by the next response, and who waits for a deadline is told", async () => {
    await timedFetch("/");
    const onChange = vi.fn();
    const remove = onServerTimeChange(onChange);
    setAhead(ms);
    await timedFetch("/");
    expect(error()).toBeLessThanOrEqual(SECOND);
    expect(onChange).toHaveBeenCalledOnce();
    remove();
  });

  it("is noticed within a second", async () => {
    const wakes: boolean[] = [];
    const remove = onWake((clockJumped) => wakes.push(clockJumped));
    setAhead(ms);
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(wakes).toEqual([true]);
    // A clock that was set back cannot be a sleep.
    if (ms < 0) expect(error()).toBeLessThanOrEqual(SECOND);
    remove();
  });
});

it.each([
  ["without a date", {}],
  ["with an empty date", { Date: "" }],
  ["with a date that is none", { Date: "yesterday" }],
])("a response %s changes nothing", async (_, headers) => {
  setAhead(HOUR);
  await timedFetch("/");
  const before = error();
  vi.stubGlobal("fetch", async () => new Response(null, { headers: headers as HeadersInit }));
  await timedFetch("/");
  expect(error()).toBe(before);
});

describe("a page", () => {
  /** The number of times that a page which is in view is woken meanwhile. */
  async function wakesDuring(act: () => unknown) {
    const onWoken = vi.fn();
    const remove = onWake(onWoken);
    await act();
    remove();
    window.dispatchEvent(new Event("online"));
    return onWoken.mock.calls.length;
  }

  it.each([
    ["is visible again", () => document.dispatchEvent(new Event("visibilitychange"))],
    ["continues after it was frozen", () => document.dispatchEvent(new Event("resume"))],
    ["is online again", () => window.dispatchEvent(new Event("online"))],
    [
      "is back from the memory of the browser",
      () => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
    ],
    [
      "slept without an event",
      async () => {
        vi.setSystemTime(Date.now() + HOUR);
        await vi.advanceTimersByTimeAsync(SECOND);
      },
    ],
  ])("that %s is woken once", async (_, act) => {
    expect(await wakesDuring(act)).toBe(1);
  });

  it.each([
    ["is loaded", () => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: false }))],
    ["runs for an hour", () => vi.advanceTimersByTimeAsync(HOUR)],
    [
      "is hidden",
      () => {
        vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
        document.dispatchEvent(new Event("visibilitychange"));
      },
    ],
  ])("that %s is not woken", async (_, act) => {
    expect(await wakesDuring(act)).toBe(0);
  });
});
