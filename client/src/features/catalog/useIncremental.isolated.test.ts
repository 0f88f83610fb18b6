import { renderHook, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { useIncremental } from "./useIncremental";

const ids = Array.from({ length: 20 }, (_, place) => `phone-${place}`);

/** Renders the hook; `counts` is the number of rendered items after each render. */
function renderIncremental(first: string[] | undefined) {
  const counts: number[] = [];
  const { result, rerender } = renderHook(
    (list: string[] | undefined) => {
      const now = useIncremental(list);
      counts.push(now.renderedIds?.length ?? 0);
      return now;
    },
    { initialProps: first },
  );
  const waitForAll = (count: number) =>
    waitFor(() => {
      expect(result.current.isFullyRendered).toBe(true);
      expect(result.current.renderedIds).toHaveLength(count);
    });
  return { counts, rerender, waitForAll };
}

test("a list is rendered in steps the first time, and at once after that", async () => {
  const first = renderIncremental(ids);
  expect(first.counts[0]).toBe(0);
  await first.waitForAll(20);
  expect(new Set(renderIncremental(ids).counts)).toEqual(new Set([20]));
});

test("a list that is loaded later is rendered in steps, in its order", async () => {
  const { counts, rerender, waitForAll } = renderIncremental(undefined);
  rerender(ids);
  await waitForAll(20);
  expect(counts.filter((count, place) => count !== counts[place - 1])).toEqual([0, 6, 9, 12, 15, 18, 20]);
});

test("a list that changes meanwhile is rendered completely", async () => {
  const { counts, rerender, waitForAll } = renderIncremental(undefined);
  rerender(ids);
  rerender(["phone-new", ...ids]);
  await waitForAll(21);
  expect(counts.at(-1)).toBe(21);
});

test("a short list and an empty list are rendered at once", () => {
  for (const few of [[], ids.slice(0, 6)]) {
    const { counts, rerender } = renderIncremental(undefined);
    rerender(few);
    expect(counts.slice(1)).toEqual(counts.slice(1).map(() => few.length));
  }
});
