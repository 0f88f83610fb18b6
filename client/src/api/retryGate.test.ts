import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RetryGate } from "./retryGate";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;

/** Milliseconds until the call may be made. */
async function waitOf(gate: RetryGate, key = "/x"): Promise<number> {
  const before = Date.now();
  let passed = -1;
  void gate.pass(key, never).then(() => {
    passed = Date.now() - before;
  });
  for (let i = 0; i < 1200 && passed < 0; i++) await vi.advanceTimersByTimeAsync(100);
  return passed;
}

describe("a query", () => {
  it("that has not failed is made at once", async () => {
    expect(await waitOf(new RetryGate())).toBe(0);
  });

  it("that fails repeatedly waits longer each time, and at most half a minute", async () => {
    const gate = new RetryGate();
    const waits = [];
    for (let i = 0; i < 8; i++) {
      gate.failed("/x");
      waits.push(await waitOf(gate));
    }
    expect(waits).toEqual([1000, 3000, 6000, 12_000, 22_500, 22_500, 22_500, 22_500]);
  });

  it("waits at least as long as Retry-After", async () => {
    const gate = new RetryGate();
    gate.failed("/x", 40_000);
    expect(await waitOf(gate)).toBe(40_000);
  });

  it("does not wait for another one", async () => {
    const gate = new RetryGate();
    gate.failed("/x");
    expect(await waitOf(gate, "/y")).toBe(0);
  });

  it("that has succeeded starts with the first pause", async () => {
    const gate = new RetryGate();
    for (let i = 0; i < 5; i++) gate.failed("/x");
    gate.succeeded("/x");
    expect(await waitOf(gate)).toBe(0);
  });
});

it("a call that is aborted before its response does not end the pauses", async () => {
  const gate = new RetryGate();
  for (let i = 0; i < 3; i++) gate.failed("/x");
  await waitOf(gate);
  gate.gaveUp("/x");
  expect(await waitOf(gate)).toBe(6000);
});

it("of several that wait for the same call one goes first, and the others after its answer", async () => {
  const gate = new RetryGate();
  gate.failed("/x");
  const passed: number[] = [];
  for (let i = 0; i < 3; i++) void gate.pass("/x", never).then(() => passed.push(i));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(passed).toEqual([0]);
  gate.failed("/x");
  await vi.advanceTimersByTimeAsync(2900);
  expect(passed).toEqual([0]);
  await vi.advanceTimersByTimeAsync(200);
  expect(passed).toEqual([0, 1]);
  gate.succeeded("/x");
  await vi.advanceTimersByTimeAsync(0);
  expect(passed).toEqual([0, 1, 2]);
});

describe("a pause ends", () => {
  it.each(["click", "popstate", "online"])("with the event %s", async (event) => {
    const gate = new RetryGate();
    for (let i = 0; i < 5; i++) gate.failed("/x");
    const wait = waitOf(gate);
    await vi.advanceTimersByTimeAsync(1000);
    window.dispatchEvent(new Event(event));
    expect(await wait).toBeLessThan(1500);
  });

  it("when the call is aborted", async () => {
    const gate = new RetryGate();
    gate.failed("/x");
    const leaving = new AbortController();
    const passed = gate.pass("/x", leaving.signal);
    leaving.abort();
    expect(await passed).toBe(false);
  });
});
