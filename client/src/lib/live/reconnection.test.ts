import { beforeEach, describe, expect, it, vi } from "vitest";
import { backoff } from "@/lib/backoff";
import { makeConnection } from "@/testing/connectionHarness";
import { seededRandomInt } from "@/testing/serverModel";

/** The clients of one node. */
const CLIENTS = 2_000;
/** Reconnections are counted per interval of this length, milliseconds. */
const STEP_MS = 250;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});

const randomInt = seededRandomInt(20_261_121);
const random = () => randomInt(1_000_000) / 1_000_000;

/** When a client reconnects after its live connection was closed with this code, milliseconds after the close. */
async function reconnectTimes(
  code: number,
  { isRefused, ms }: { isRefused: boolean; ms: number },
): Promise<number[]> {
  const times: number[] = [];
  const harness = makeConnection(random, () => {
    times.push(performance.now() - closedAt);
    if (isRefused) queueMicrotask(() => harness.connection.onClose(1006));
  });
  let closedAt = Number.NaN;
  harness.connection.start(null);
  times.pop();
  harness.receiveHello();
  closedAt = performance.now();
  harness.connection.onClose(code);
  await vi.advanceTimersByTimeAsync(ms);
  harness.connection.stop();
  return times;
}

/** How many clients reconnect in each interval after they were disconnected together. */
async function countReconnects(code: number, options: { isRefused: boolean; ms: number }): Promise<number[]> {
  const counts = new Array<number>(options.ms / STEP_MS).fill(0);
  for (let n = 0; n < CLIENTS; n++) {
    for (const time of await reconnectTimes(code, options)) counts[Math.floor(time / STEP_MS)]! += 1;
  }
  return counts;
}

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
/** Six standard deviations: a larger difference is not random. */
const tolerance = (mean: number) => 6 * Math.sqrt(mean);

describe("clients that are disconnected together", () => {
  it.each([
    { cause: "by a node that restarts", code: 1012, jitter: 4_000 },
    { cause: "by a killed node", code: 1006, jitter: 2_000 },
  ])("$cause reconnect evenly over $jitter ms, each once", async ({ code, jitter }) => {
    const counts = await countReconnects(code, { isRefused: false, ms: jitter });
    const mean = CLIENTS / counts.length;
    for (const count of counts)
      expect(Math.abs(count - mean), counts.join(" ")).toBeLessThan(tolerance(mean));
    expect(sum(counts)).toBe(CLIENTS);
  });

  it("reconnect spread out and less and less often while the server is down", async () => {
    const counts = await countReconnects(1006, { isRefused: true, ms: 60_000 });
    const first = CLIENTS / (2_000 / STEP_MS);
    expect(Math.max(...counts), counts.join(" ")).toBeLessThan(first + tolerance(first));
    expect(sum(counts.slice(-40))).toBeLessThan(sum(counts.slice(0, 40)) / 4);
  });
});

it("a delay is never longer than 30 s", () => {
  for (let attempt = 0; attempt < 100; attempt++) expect(backoff(attempt, 0.999_999)).toBeLessThan(30_000);
});
