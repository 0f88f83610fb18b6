import { act, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { lazyPart, lazyScreen, missingFiles } from "./lazyPart";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A file that can be loaded after this many failures; the number of attempts so far. */
function aFile(failures: number) {
  const file = {
    attempts: 0,
    load: async () => {
      file.attempts += 1;
      if (file.attempts <= failures)
        throw new TypeError("Failed to fetch dynamically imported module: http://localhost/a.js");
      return { default: () => <p>Loaded</p> };
    },
  };
  return file;
}

async function show(Part: ReturnType<typeof lazyPart>) {
  render(
    <Suspense fallback={<p>Loading</p>}>
      <Part />
    </Suspense>,
  );
  await act(() => vi.advanceTimersByTimeAsync(0));
}

test("a part that cannot be loaded is absent, and is loaded later", async () => {
  await show(lazyPart(aFile(3).load));
  expect(screen.getByText("Loading")).toBeVisible();
  expect(missingFiles.error()).toBeUndefined();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(screen.getByText("Loaded")).toBeVisible();
});

test("a missing screen is reported until it is loaded", async () => {
  const listener = vi.fn();
  const unsubscribe = missingFiles.subscribe(listener);
  await show(lazyScreen(aFile(3).load));
  expect(missingFiles.error()?.message).toBe("Failed to fetch dynamically imported module");
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(screen.getByText("Loaded")).toBeVisible();
  expect(missingFiles.error()).toBeUndefined();
  expect(listener).toHaveBeenCalledTimes(2);
  unsubscribe();
});

test.each([
  ["at a request", () => missingFiles.retry()],
  ["when the browser is online again", () => void window.dispatchEvent(new Event("online"))],
])("a missing screen is loaded %s, without a delay", async (_, trigger) => {
  await show(lazyScreen(aFile(1).load));
  expect(missingFiles.error()).toBeDefined();
  trigger();
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(screen.getByText("Loaded")).toBeVisible();
});

test("a file that is there is loaded once", async () => {
  const file = aFile(0);
  await show(lazyScreen(file.load));
  expect(screen.getByText("Loaded")).toBeVisible();
  expect(missingFiles.error()).toBeUndefined();
  expect(file.attempts).toBe(1);
});
