import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Countdown } from "@/ui";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T10:00:00Z") });
});
afterEach(() => vi.useRealTimers());

/** Second by second, as each tick decides when the next one is. */
function pass(seconds: number): void {
  for (let gone = 0; gone < seconds; gone += 1) act(() => vi.advanceTimersByTime(1000));
}
const shown = () => screen.getByRole("time").textContent;

test("the countdown updates every minute, then every second, until its end", () => {
  render(<Countdown until="2026-11-20T10:02:30Z" />);
  expect(screen.getByRole("time")).toHaveAttribute("datetime", "2026-11-20T10:02:30Z");
  const first = shown();
  pass(60);
  expect(shown()).not.toBe(first);
  pass(60);
  const seconds = shown();
  pass(1);
  expect(shown()).not.toBe(seconds);
  pass(40);
  expect(shown()).toBe("Time is up");
  expect(vi.getTimerCount()).toBe(0);
});

test("the countdown shows the end at once for a time in the past", () => {
  render(<Countdown until="2026-11-20T09:00:00Z" />);
  expect(shown()).toBe("Time is up");
  expect(vi.getTimerCount()).toBe(0);
});

test("the countdown stops its timer when it is unmounted", () => {
  const { unmount } = render(<Countdown until="2026-11-21T10:00:00Z" />);
  expect(vi.getTimerCount()).toBe(1);
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
