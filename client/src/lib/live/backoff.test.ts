import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeConnection } from "@/testing/connectionHarness";
import { dice } from "@/testing/serverModel";
import { backoff } from "./backoff";

/** The clients of one node. */
const HERD = 2_000;
/** Arrivals are counted in steps of this, milliseconds. */
const STEP_MS = 250;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

const roll = dice(20_261_121);
const random = () => roll(1_000_000) / 1_000_000;

/** When a client whose live connection is closed so tries again, milliseconds from then. */
async function tries(code: number, { isRefused, ms }: { isRefused: boolean; ms: number }): Promise<number[]> {
  const times: number[] = [];
  const w = makeConnection(random, () => {
    times.push(Date.now() - closedAt);
    if (isRefused) queueMicrotask(() => w.connection.closed(1006));
  });
  let closedAt = Number.NaN;
  w.connection.start(null);
  times.pop();
  w.greet();
  closedAt = Date.now();
  w.connection.closed(code);
  await vi.advanceTimersByTimeAsync(ms);
  w.connection.stop();
  return times;
}

/** How many clients reconnect in each step after they were cut off together. */
async function arrivals(code: number, how: { isRefused: boolean; ms: number }): Promise<number[]> {
  const counts = new Array<number>(how.ms / STEP_MS).fill(0);
  for (let n = 0; n < HERD; n++) {
    for (const time of await tries(code, how)) counts[Math.floor(time / STEP_MS)]! += 1;
  }
  return counts;
}

const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
/** Beyond six deviations it is no chance. */
const chance = (mean: number) => 6 * Math.sqrt(mean);

describe("clients that are cut off together", () => {
  it.each([
    { how: "by a node that restarts", code: 1012, spread: 4_000 },
    { how: "by a node's death", code: 1006, spread: 2_000 },
  ])("$how come back evenly over $spread ms, each once", async ({ code, spread }) => {
    const counts = await arrivals(code, { isRefused: false, ms: spread });
    const mean = HERD / counts.length;
    for (const count of counts) expect(Math.abs(count - mean), counts.join(" ")).toBeLessThan(chance(mean));
    expect(sum(counts)).toBe(HERD);
  });

  it("never reconnect together while the server is down, and ever less often", async () => {
    const counts = await arrivals(1006, { isRefused: true, ms: 60_000 });
    const first = HERD / (2_000 / STEP_MS);
    expect(Math.max(...counts), counts.join(" ")).toBeLessThan(first + chance(first));
    expect(sum(counts.slice(-40))).toBeLessThan(sum(counts.slice(0, 40)) / 4);
  });
});

it("a pause is never longer than half a minute", () => {
  for (let attempt = 0; attempt < 100; attempt++) expect(backoff(attempt, 0.999_999)).toBeLessThan(30_000);
});
