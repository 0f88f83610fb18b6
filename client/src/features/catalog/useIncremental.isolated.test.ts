import { renderHook, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { useIncremental } from "./useIncremental";

const ids = Array.from({ length: 20 }, (_, index) => `phone-${index}`);

/** Renders the hook; `counts` is the number of rendered items after each render. */
function renderIncremental(initialIds: string[] | undefined) {
  const counts: number[] = [];
  const { result, rerender } = renderHook(
    (list: string[] | undefined) => {
      const incremental = useIncremental(list);
      counts.push(incremental.renderedIds?.length ?? 0);
      return incremental;
    },
    { initialProps: initialIds },
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
  expect(counts.filter((count, index) => count !== counts[index - 1])).toEqual([0, 6, 9, 12, 15, 18, 20]);
});

test("a list that changes while it is rendered in steps is rendered completely", async () => {
  const { counts, rerender, waitForAll } = renderIncremental(undefined);
  rerender(ids);
  rerender(["phone-new", ...ids]);
  await waitForAll(21);
  expect(counts.at(-1)).toBe(21);
});

test("a short list and an empty list are rendered at once", () => {
  for (const shortList of [[], ids.slice(0, 6)]) {
    const { counts, rerender } = renderIncremental(undefined);
    rerender(shortList);
    expect(counts.slice(1)).toEqual(counts.slice(1).map(() => shortList.length));
  }
});
