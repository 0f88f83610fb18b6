import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { Countdown } from "@/ui";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T10:00:00Z") });
});

/** Advances the clock by one second at a time, because each tick sets the timer of the next one. */
function advance(seconds: number): void {
  for (let elapsed = 0; elapsed < seconds; elapsed += 1) act(() => vi.advanceTimersByTime(1000));
}
const remaining = () => screen.getByRole("time").textContent;

test("the countdown updates every minute, then every second, until its end", () => {
  render(<Countdown until="2026-11-20T10:02:30Z" />);
  expect(screen.getByRole("time")).toHaveAttribute("datetime", "2026-11-20T10:02:30Z");
  const first = remaining();
  advance(60);
  expect(remaining()).not.toBe(first);
  advance(60);
  const seconds = remaining();
  advance(1);
  expect(remaining()).not.toBe(seconds);
  advance(40);
  expect(remaining()).toBe("Time is up");
  expect(vi.getTimerCount()).toBe(0);
});

test("the countdown shows the end at once for a time in the past", () => {
  render(<Countdown until="2026-11-20T09:00:00Z" />);
  expect(remaining()).toBe("Time is up");
  expect(vi.getTimerCount()).toBe(0);
});

test("the countdown stops its timer when it is unmounted", () => {
  const { unmount } = render(<Countdown until="2026-11-21T10:00:00Z" />);
  expect(vi.getTimerCount()).toBe(1);
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
