import { beforeEach, expect, it, vi } from "vitest";
import { BATCH_MS, EventBuffer, MAX_QUEUED, MIN_ENTITIES_PER_STEP, STEP_GAP_MS } from "./eventBuffer";
import type { LiveEvent } from "./types";

beforeEach(() => {
  vi.useFakeTimers();
});

const event = (_id: string, version = 1, type = "product.changed"): LiveEvent => ({
  topic: "brand:1",
  position: `p${version}`,
  type,
  at: "2026-11-21T04:00:00Z",
  data: { _id, version },
});
const events = (count: number, version = 1) =>
  Array.from({ length: count }, (_, n) => event(`x${n}`, version));

function createBuffer() {
  const steps: LiveEvent[][] = [];
  const buffer = new EventBuffer((batch) => steps.push(batch));
  return { buffer, steps, ids: () => steps.flat().map(({ data }) => data._id) };
}

it("applies events of the same 250 ms in one step", () => {
  const { buffer, steps } = createBuffer();
  buffer.push([event("a"), event("b")]);
  buffer.push([event("c")]);
  vi.advanceTimersByTime(BATCH_MS - 1);
  expect(steps).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(steps).toEqual([[event("a"), event("b"), event("c")]]);
});

it("applies many events in several steps, in order, with gaps", () => {
  const { buffer, steps, ids } = createBuffer();
  const sent = events(3 * MIN_ENTITIES_PER_STEP);
  buffer.push(sent);
  vi.advanceTimersByTime(BATCH_MS);
  expect(steps).toHaveLength(1);
  vi.advanceTimersByTime(STEP_GAP_MS);
  expect(steps).toHaveLength(2);
  vi.advanceTimersByTime(STEP_GAP_MS);
  expect(steps.map(({ length }) => length)).toEqual([
    MIN_ENTITIES_PER_STEP,
    MIN_ENTITIES_PER_STEP,
    MIN_ENTITIES_PER_STEP,
  ]);
  expect(ids()).toEqual(sent.map(({ data }) => data._id));
});

it("applies many events of few entities in one step", () => {
  const { buffer, steps } = createBuffer();
  for (let version = 1; version <= 50; version++) buffer.push(events(MIN_ENTITIES_PER_STEP, version));
  vi.advanceTimersByTime(BATCH_MS);
  expect(steps.map(({ length }) => length)).toEqual([50 * MIN_ENTITIES_PER_STEP]);
});

it("keeps up with a thousand events a second, in steps that do not grow", () => {
  const { buffer, steps } = createBuffer();
  for (let ms = 0; ms < 5_000; ms++) {
    buffer.push([event(`x${ms}`)]);
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(2 * BATCH_MS);
  expect(steps.flat()).toHaveLength(5_000);
  expect(Math.max(...steps.map(({ length }) => length))).toBe(MIN_ENTITIES_PER_STEP);
});

it("applies thousands of simultaneous events within a second", () => {
  const { buffer, steps } = createBuffer();
  buffer.push(events(MAX_QUEUED));
  vi.advanceTimersByTime(1_000);
  expect(steps.flat()).toHaveLength(MAX_QUEUED);
  expect(Math.max(...steps.map(({ length }) => length))).toBeLessThanOrEqual(MIN_ENTITIES_PER_STEP * 11);
});

it("keeps up if a step takes half a second and more events arrive meanwhile", () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  const stepSizes: number[] = [];
  const buffer = new EventBuffer((batch) => {
    stepSizes.push(batch.length);
    now += 500;
    if (stepSizes.length < 20) buffer.push(events(500));
  });
  buffer.push(events(500));
  vi.advanceTimersByTime(10_000);
  clock.mockRestore();
  expect(stepSizes.reduce((sum, size) => sum + size)).toBe(20 * 500);
  // At most the events of two steps.
  expect(Math.max(...stepSizes)).toBeLessThanOrEqual(1_000);
});

it("keeps the newest event of each entity and type if too many are queued", () => {
  const { buffer, steps, ids } = createBuffer();
  for (let version = 1; version <= 20; version++) buffer.push(events(500, version));
  buffer.push([event("x7", 3), event("x8", 21, "product.removed")]);
  buffer.push(events(MAX_QUEUED, 5));
  vi.advanceTimersByTime(2_000);
  expect(steps.flat().length).toBeLessThan(2 * MAX_QUEUED);
  expect(new Set(ids()).size).toBe(MAX_QUEUED);
  const newest = new Map<string, number>();
  for (const { data } of steps.flat())
    newest.set(data._id, Math.max(newest.get(data._id) ?? 0, data.version));
  expect([newest.get("x7"), newest.get("x8"), newest.get("x499"), newest.get("x500")]).toEqual([
    20, 21, 20, 5,
  ]);
});

it("applies all events at once on flush", () => {
  const { buffer, steps } = createBuffer();
  buffer.push(events(3 * MIN_ENTITIES_PER_STEP));
  buffer.flush();
  expect(steps.map(({ length }) => length)).toEqual([3 * MIN_ENTITIES_PER_STEP]);
  vi.advanceTimersByTime(1_000);
  expect(steps).toHaveLength(1);
});
