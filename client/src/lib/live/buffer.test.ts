import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BATCH_MS, EventBuffer, MAX_WAITING, PAUSE_MS, PORTION } from "./buffer";
import type { LiveEvent } from "./types";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
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

function gathered() {
  const portions: LiveEvent[][] = [];
  const buffer = new EventBuffer((some) => portions.push(some));
  return { buffer, portions, ids: () => portions.flat().map(({ data }) => data._id) };
}

it("applies events of the same time in one step", () => {
  const { buffer, portions } = gathered();
  buffer.push([event("a"), event("b")]);
  buffer.push([event("c")]);
  vi.advanceTimersByTime(BATCH_MS - 1);
  expect(portions).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(portions).toEqual([[event("a"), event("b"), event("c")]]);
});

it("applies many events in portions, in order, with pauses", () => {
  const { buffer, portions, ids } = gathered();
  const many = events(3 * PORTION);
  buffer.push(many);
  vi.advanceTimersByTime(BATCH_MS);
  expect(portions).toHaveLength(1);
  vi.advanceTimersByTime(PAUSE_MS);
  expect(portions).toHaveLength(2);
  vi.advanceTimersByTime(PAUSE_MS);
  expect(portions.map(({ length }) => length)).toEqual([PORTION, PORTION, PORTION]);
  expect(ids()).toEqual(many.map(({ data }) => data._id));
});

it("applies many events of few entities in one step", () => {
  const { buffer, portions } = gathered();
  for (let version = 1; version <= 50; version++) buffer.push(events(PORTION, version));
  vi.advanceTimersByTime(BATCH_MS);
  expect(portions.map(({ length }) => length)).toEqual([50 * PORTION]);
});

it("keeps up with a thousand a second, in steps that do not grow", () => {
  const { buffer, portions } = gathered();
  for (let ms = 0; ms < 5_000; ms++) {
    buffer.push([event(`x${ms}`)]);
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(2 * BATCH_MS);
  expect(portions.flat()).toHaveLength(5_000);
  expect(Math.max(...portions.map(({ length }) => length))).toBe(PORTION);
});

it("catches up within a second after many came at once", () => {
  const { buffer, portions } = gathered();
  buffer.push(events(MAX_WAITING));
  vi.advanceTimersByTime(1_000);
  expect(portions.flat()).toHaveLength(MAX_WAITING);
  expect(Math.max(...portions.map(({ length }) => length))).toBeLessThanOrEqual(PORTION * 11);
});

it("catches up even if a step takes half a second and more events arrive meanwhile", () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  const shown: number[] = [];
  const buffer = new EventBuffer((some) => {
    shown.push(some.length);
    now += 500;
    if (shown.length < 20) buffer.push(events(500));
  });
  buffer.push(events(500));
  vi.advanceTimersByTime(10_000);
  clock.mockRestore();
  expect(shown.reduce((all, one) => all + one)).toBe(20 * 500);
  // Never more than what came during two steps.
  expect(Math.max(...shown)).toBeLessThanOrEqual(1_000);
});

it("keeps the newest event of each entity and type if too many wait, and drops no entity", () => {
  const { buffer, portions, ids } = gathered();
  for (let version = 1; version <= 20; version++) buffer.push(events(500, version));
  buffer.push([event("x7", 3), event("x8", 21, "product.removed")]);
  buffer.push(events(MAX_WAITING, 5));
  vi.advanceTimersByTime(2_000);
  expect(portions.flat().length).toBeLessThan(2 * MAX_WAITING);
  expect(new Set(ids()).size).toBe(MAX_WAITING);
  const newest = new Map<string, number>();
  for (const { data } of portions.flat())
    newest.set(data._id, Math.max(newest.get(data._id) ?? 0, data.version));
  expect([newest.get("x7"), newest.get("x8"), newest.get("x499"), newest.get("x500")]).toEqual([
    20, 21, 20, 5,
  ]);
});

it("applies all events at once on flush", () => {
  const { buffer, portions } = gathered();
  buffer.push(events(3 * PORTION));
  buffer.flush();
  expect(portions.map(({ length }) => length)).toEqual([3 * PORTION]);
  vi.advanceTimersByTime(1_000);
  expect(portions).toHaveLength(1);
});
