import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Loading } from "@/ui";
import { SLOW_MS } from "./Loading";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("a slow request shows a message with a retry button, again after each retry", async () => {
  const again = vi.fn();
  render(
    <Loading label="Loading phones" onRetry={again}>
      <i />
    </Loading>,
  );
  expect(screen.getByRole("status")).toHaveTextContent(/^Loading phones$/);
  await pass(SLOW_MS - 1);
  expect(screen.queryByRole("button")).toBeNull();
  for (const tries of [1, 2]) {
    await pass(SLOW_MS);
    expect(screen.getByText("This is taking longer than usual.")).toBeVisible();
    act(() => screen.getByRole("button", { name: "Try again" }).click());
    expect(again).toHaveBeenCalledTimes(tries);
    expect(screen.queryByRole("button")).toBeNull();
  }
});
