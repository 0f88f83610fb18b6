import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { measureServerTime } from "@/lib/serverTime";
import { Countdown } from "@/ui";

beforeEach(() => {
  // Without the interval that notices a sleep (lib/wake.ts).
  vi.useFakeTimers({
    now: Date.parse("2026-11-20T10:00:00Z"),
    toFake: ["setTimeout", "clearTimeout", "Date", "performance"],
  });
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

test.each([
  ["an hour ahead", 3_600_000],
  ["two hours ahead", 7_200_000],
  ["a day ahead", 86_400_000],
  ["an hour behind", -3_600_000],
  ["a day behind", -86_400_000],
  ["six minutes behind", -360_000],
])("the countdown follows the server's time on a device whose clock is %s", async (_, ahead) => {
  const deadline = "2026-11-20T10:05:00Z";
  vi.setSystemTime(Date.now() + ahead);
  render(<Countdown until={deadline} />);
  vi.stubGlobal("fetch", async () => {
    const headers = { Date: new Date(Date.now() - ahead).toUTCString() };
    return new Response(null, { headers });
  });
  await act(measureServerTime);
  expect(remaining()).toMatch(/^[45] min/);
  advance(4 * 60 + 58);
  expect(remaining()).toMatch(/^[1-3] s/);
  advance(3);
  expect(remaining()).toBe("Time is up");
});
