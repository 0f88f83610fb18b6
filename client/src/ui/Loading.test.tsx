import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { Loading } from "@/ui";
import { SLOW_MS } from "./Loading";

beforeEach(() => void vi.useFakeTimers());

const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("a slow request shows a message with a retry button, again after each retry", async () => {
  const onRetry = vi.fn();
  render(
    <Loading label="Loading phones" onRetry={onRetry}>
      <i />
    </Loading>,
  );
  expect(screen.getByRole("status")).toHaveTextContent(/^Loading phones$/);
  await advance(SLOW_MS - 1);
  expect(screen.queryByRole("button")).toBeNull();
  for (const retries of [1, 2]) {
    await advance(SLOW_MS);
    expect(screen.getByText("This is taking longer than usual.")).toBeVisible();
    act(() => screen.getByRole("button", { name: "Try again" }).click());
    expect(onRetry).toHaveBeenCalledTimes(retries);
    expect(screen.queryByRole("button")).toBeNull();
  }
});
