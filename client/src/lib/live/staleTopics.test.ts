import { beforeEach, describe, expect, it, vi } from "vitest";
import { StaleTopics } from "./staleTopics";

/** The topics of each refetch of lists, in order. */
let refetched: string[][];
/** Ends the running refetches of lists. */
let endRefetches: (() => void)[];
let stale: StaleTopics;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  [refetched, endRefetches] = [[], []];
  stale = new StaleTopics({
    refetchLists: (topics) => {
      refetched.push([...topics]);
      return new Promise((resolve) => endRefetches.push(() => resolve(true)));
    },
    refetchUnpositioned: async () => true,
    random: () => 0.5,
  });
});

/** The third resync within ten seconds: the lists are refetched a few seconds later. */
async function delayRefetch(topics: string[]) {
  for (const _ of [1, 2]) {
    stale.resync(["me"]);
    for (const end of endRefetches) end();
    await vi.advanceTimersByTimeAsync(10);
  }
  refetched = [];
  stale.resync(topics);
}

describe("the delayed refetch after a resync", () => {
  it("is not forgotten when another list of the topic has been fetched", async () => {
    await delayRefetch(["me", "brand:1"]);
    await stale.refetchUnpositioned(["brand:1"]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(refetched).toEqual([["me", "brand:1"]]);
  });

  it("is not forgotten when a refetch that began before the resync ends", async () => {
    await delayRefetch(["me"]);
    void stale.refetch();
    stale.resync(["me"]);
    for (const end of endRefetches) end();
    await vi.advanceTimersByTimeAsync(5000);
    expect(refetched).toEqual([["me"], ["me"]]);
  });
});
