import { beforeEach, describe, expect, it, vi } from "vitest";
import { RequestBackoff } from "./requestBackoff";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});

const neverAborted = new AbortController().signal;

/** Milliseconds until the query may be sent. */
async function measureDelay(backoff: RequestBackoff, key = "/x"): Promise<number> {
  const before = Date.now();
  let passed = -1;
  void backoff.waitForTurn(key, neverAborted).then(() => {
    passed = Date.now() - before;
  });
  for (let i = 0; i < 1200 && passed < 0; i++) await vi.advanceTimersByTimeAsync(100);
  return passed;
}

describe("a query", () => {
  it("that has not failed is sent at once", async () => {
    expect(await measureDelay(new RequestBackoff())).toBe(0);
  });

  it("that fails repeatedly is delayed longer each time, at most 30 s", async () => {
    const backoff = new RequestBackoff();
    const delays = [];
    for (let i = 0; i < 8; i++) {
      backoff.recordFailure("/x");
      delays.push(await measureDelay(backoff));
    }
    expect(delays).toEqual([1000, 3000, 6000, 12_000, 22_500, 22_500, 22_500, 22_500]);
  });

  it("is delayed at least as long as Retry-After", async () => {
    const backoff = new RequestBackoff();
    backoff.recordFailure("/x", 40_000);
    expect(await measureDelay(backoff)).toBe(40_000);
  });

  it("is not delayed by the failure of another one", async () => {
    const backoff = new RequestBackoff();
    backoff.recordFailure("/x");
    expect(await measureDelay(backoff, "/y")).toBe(0);
  });

  it("that succeeded is sent at once again", async () => {
    const backoff = new RequestBackoff();
    for (let i = 0; i < 5; i++) backoff.recordFailure("/x");
    backoff.recordSuccess("/x");
    expect(await measureDelay(backoff)).toBe(0);
  });
});

it("an aborted query does not reset the delay", async () => {
  const backoff = new RequestBackoff();
  for (let i = 0; i < 3; i++) backoff.recordFailure("/x");
  await measureDelay(backoff);
  backoff.recordAbort("/x");
  expect(await measureDelay(backoff)).toBe(6000);
});

it("several callers of the same query are let through one at a time, each after the result of the previous one", async () => {
  const backoff = new RequestBackoff();
  backoff.recordFailure("/x");
  const passed: number[] = [];
  for (let i = 0; i < 3; i++) void backoff.waitForTurn("/x", neverAborted).then(() => passed.push(i));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(passed).toEqual([0]);
  backoff.recordFailure("/x");
  await vi.advanceTimersByTimeAsync(2900);
  expect(passed).toEqual([0]);
  await vi.advanceTimersByTimeAsync(200);
  expect(passed).toEqual([0, 1]);
  backoff.recordSuccess("/x");
  await vi.advanceTimersByTimeAsync(0);
  expect(passed).toEqual([0, 1, 2]);
});

describe("a delay ends", () => {
  it.each(["click", "popstate", "online"])("on the event %s", async (event) => {
    const backoff = new RequestBackoff();
    for (let i = 0; i < 5; i++) backoff.recordFailure("/x");
    const wait = measureDelay(backoff);
    await vi.advanceTimersByTimeAsync(1000);
    window.dispatchEvent(new Event(event));
    expect(await wait).toBeLessThan(1500);
  });

  it("when the query is aborted", async () => {
    const backoff = new RequestBackoff();
    backoff.recordFailure("/x");
    const controller = new AbortController();
    const passed = backoff.waitForTurn("/x", controller.signal);
    controller.abort();
    expect(await passed).toBe(false);
  });
});
