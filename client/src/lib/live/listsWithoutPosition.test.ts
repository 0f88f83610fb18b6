import { beforeEach, expect, it, vi } from "vitest";
import { makeConnection } from "@/testing/connectionHarness";

// A list of several topics has no position: it is up to date if it was requested while the topics
// were confirmed, and is refetched if it was requested earlier.

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-21T04:00:00Z") });
});

const TOPICS = ["brand:1", "brand:2", "brand:3"];
const positions = (position: string) => Object.fromEntries(TOPICS.map((topic) => [topic, position]));
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A live connection. `showScreen` opens a screen with a list that was requested at this moment. */
async function setUp() {
  const harness = makeConnection();
  harness.connection.start(null);
  harness.receiveHello();
  await advance(1);
  const fetchList = () => {
    for (const topic of TOPICS) harness.connection.listFetched(topic, "", performance.now());
  };
  const showScreen = () => {
    const unsubscribes = TOPICS.map((topic) => harness.connection.subscribe(topic, ""));
    fetchList();
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  };
  return { ...harness, showScreen, fetchList };
}

it("subscribes to all topics at once, and refetches the list after they are confirmed", async () => {
  const harness = await setUp();
  harness.showScreen();
  await advance(100);
  expect(harness.subscribeFrames()).toEqual([positions("")]);
  expect(harness.calls.refetchedUnpositioned).toEqual([]);
  harness.receive({ subscribed: positions("p5") });
  await advance(100);
  expect(harness.calls.refetchedUnpositioned).toEqual([TOPICS]);
});

it("does not refetch a list that was requested after the confirmation", async () => {
  const harness = await setUp();
  harness.showScreen();
  await advance(100);
  harness.receive({ subscribed: positions("p5") });
  await advance(100);
  harness.fetchList();
  await advance(1000);
  expect(harness.calls.refetchedUnpositioned).toHaveLength(1);
  expect(harness.calls.refetchedTopics).toEqual([]);
});

it("refetches a list that was requested before its topic was confirmed for another list", async () => {
  const harness = await setUp();
  const before = performance.now();
  await advance(10);
  harness.connection.subscribe("brand:2", "p1", performance.now());
  await advance(100);
  harness.receive({ subscribed: { "brand:2": "p1" } });
  await advance(100);
  harness.connection.subscribe("brand:2", "");
  harness.connection.listFetched("brand:2", "", before);
  await advance(100);
  expect(harness.calls.refetchedUnpositioned).toEqual([["brand:2"]]);
});

it("refetches the list also if a topic was subscribed from another list's position", async () => {
  const harness = await setUp();
  harness.connection.subscribe("brand:1", "p1", performance.now());
  harness.showScreen();
  await advance(100);
  harness.receive({ subscribed: { "brand:1": "p1", "brand:2": "p5", "brand:3": "p5" } });
  await advance(100);
  expect(harness.calls.refetchedUnpositioned.flat().toSorted()).toEqual(TOPICS);
});

it("does not refetch the list after a gap that is replayed, whether the list was requested before or during the gap", async () => {
  const harness = await setUp();
  harness.showScreen();
  await advance(100);
  harness.receive({ subscribed: positions("p5") });
  await advance(100);
  harness.fetchList();
  await advance(100);
  harness.connection.onClose(1006);
  harness.fetchList();
  await advance(1000);
  harness.receiveHello();
  expect(harness.subscribeFrames().at(-1)).toEqual(positions("p5"));
  harness.receive({ subscribed: positions("p9") });
  await advance(1000);
  expect(harness.calls.refetchedUnpositioned).toHaveLength(1);
});

it("refetches the list once for several topics with a resync", async () => {
  const harness = await setUp();
  harness.showScreen();
  await advance(100);
  harness.receive({ subscribed: positions("p5") });
  await advance(100);
  const before = performance.now();
  harness.receive({ resync: TOPICS });
  await advance(100);
  expect(harness.calls.refetchedTopics).toEqual([TOPICS]);
  // A response to a request that was sent before the resync is outdated.
  for (const topic of TOPICS) harness.connection.listFetched(topic, "", before);
  await advance(100);
  expect(harness.calls.refetchedUnpositioned).toEqual([TOPICS, TOPICS]);
});

it("refetches the list when its screen is opened again", async () => {
  const harness = await setUp();
  const unsubscribe = harness.showScreen();
  const requestedAt = performance.now();
  await advance(100);
  harness.receive({ subscribed: positions("p5") });
  await advance(100);
  unsubscribe();
  await advance(200);
  for (const topic of TOPICS) harness.connection.subscribe(topic, "");
  for (const topic of TOPICS) harness.connection.listFetched(topic, "", requestedAt);
  await advance(200);
  harness.receive({ subscribed: positions("p8") });
  await advance(100);
  expect(harness.calls.refetchedUnpositioned).toEqual([TOPICS, TOPICS]);
});

it("repeats a refetch that failed", async () => {
  const harness = await setUp();
  harness.results.refetch = false;
  harness.showScreen();
  await advance(100);
  harness.receive({ subscribed: positions("p5") });
  await advance(100);
  harness.results.refetch = true;
  await advance(5000);
  expect(harness.calls.refetchedTopics).toEqual([TOPICS]);
  await advance(10_000);
  expect(harness.calls.refetchedTopics).toHaveLength(1);
});
