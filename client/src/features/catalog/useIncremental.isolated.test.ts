import { renderHook, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { useIncremental } from "./useIncremental";

const ids = Array.from({ length: 20 }, (_, place) => `phone-${place}`);

/** How many were drawn, from step to step. */
function follow(first: string[] | undefined) {
  const counts: number[] = [];
  const { result, rerender } = renderHook(
    (list: string[] | undefined) => {
      const now = useIncremental(list);
      counts.push(now.drawn?.length ?? 0);
      return now;
    },
    { initialProps: first },
  );
  const whole = (count: number) =>
    waitFor(() => {
      expect(result.current.isWhole).toBe(true);
      expect(result.current.drawn).toHaveLength(count);
    });
  return { counts, rerender, whole };
}

test("a list that is there on arrival is drawn in steps, and at once for who comes back to it", async () => {
  const onArrival = follow(ids);
  expect(onArrival.counts[0]).toBe(0);
  await onArrival.whole(20);
  expect(new Set(follow(ids).counts)).toEqual(new Set([20]));
});

test("a list that comes late is drawn in steps, in its order, until it is whole", async () => {
  const { counts, rerender, whole } = follow(undefined);
  rerender(ids);
  await whole(20);
  expect(counts.filter((count, place) => count !== counts[place - 1])).toEqual([0, 6, 9, 12, 15, 18, 20]);
});

test("what changes meanwhile is drawn whole, and no phone is taken for one that has gone", async () => {
  const { counts, rerender, whole } = follow(undefined);
  rerender(ids);
  rerender(["phone-new", ...ids]);
  await whole(21);
  expect(counts.at(-1)).toBe(21);
});

test("a short list and an empty one are whole at once", () => {
  for (const few of [[], ids.slice(0, 6)]) {
    const { counts, rerender } = follow(undefined);
    rerender(few);
    expect(counts.slice(1)).toEqual(counts.slice(1).map(() => few.length));
  }
});
