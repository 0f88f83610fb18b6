import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makeConnection } from "@/testing/connectionHarness";

// A list of several topics carries no position (contract section 5): it is right if it was asked for while they
// were followed, and is fetched again if it was asked for before.

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-21T04:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

const TOPICS = ["brand:1", "brand:2", "brand:3"];
const all = (position: string) => Object.fromEntries(TOPICS.map((topic) => [topic, position]));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A greeted connection; `show` is a screen with a list that was asked for now. */
async function greeted() {
  const w = makeConnection();
  w.connection.start(null);
  w.greet();
  await pass(1);
  const list = () => {
    for (const topic of TOPICS) w.connection.listed(topic, "", Date.now());
  };
  const show = () => {
    const leaves = TOPICS.map((topic) => w.connection.want(topic, ""));
    list();
    return () => {
      for (const leave of leaves) leave();
    };
  };
  return { ...w, show, list };
}

it("subscribes to all topics at once, and refetches the list when they are in force", async () => {
  const w = await greeted();
  w.show();
  await pass(100);
  expect(w.subscribes()).toEqual([all("")]);
  expect(w.did.subscribed).toEqual([]);
  w.say({ subscribed: all("p5") });
  await pass(100);
  expect(w.did.subscribed).toEqual([TOPICS]);
});

it("does not refetch a list that was requested since then", async () => {
  const w = await greeted();
  w.show();
  await pass(100);
  w.say({ subscribed: all("p5") });
  await pass(100);
  w.list();
  await pass(1000);
  expect(w.did.subscribed).toHaveLength(1);
  expect(w.did.refetched).toEqual([]);
});

it("refetches an older list whose topic is in force already", async () => {
  const w = await greeted();
  const before = Date.now();
  await pass(10);
  w.connection.want("brand:2", "p1", Date.now());
  await pass(100);
  w.say({ subscribed: { "brand:2": "p1" } });
  await pass(100);
  w.connection.want("brand:2", "");
  w.connection.listed("brand:2", "", before);
  await pass(100);
  expect(w.did.subscribed).toEqual([["brand:2"]]);
});

it("refetches it also where a topic was subscribed from another list's position", async () => {
  const w = await greeted();
  w.connection.want("brand:1", "p1", Date.now());
  w.show();
  await pass(100);
  w.say({ subscribed: { "brand:1": "p1", "brand:2": "p5", "brand:3": "p5" } });
  await pass(100);
  expect(w.did.subscribed.flat().toSorted()).toEqual(TOPICS);
});

it("is not refetched after a gap that is replayed, whether it was requested before or during it", async () => {
  const w = await greeted();
  w.show();
  await pass(100);
  w.say({ subscribed: all("p5") });
  await pass(100);
  w.list();
  await pass(100);
  w.connection.closed(1006);
  w.list();
  await pass(1000);
  w.greet();
  expect(w.subscribes().at(-1)).toEqual(all("p5"));
  w.say({ subscribed: all("p9") });
  await pass(1000);
  expect(w.did.subscribed).toHaveLength(1);
});

it("is refetched once for several topics with a resync", async () => {
  const w = await greeted();
  w.show();
  await pass(100);
  w.say({ subscribed: all("p5") });
  await pass(100);
  const before = Date.now();
  w.say({ resync: TOPICS });
  await pass(100);
  expect(w.did.refetched).toEqual([TOPICS]);
  // One that was under way then and comes now is of before the hole.
  for (const topic of TOPICS) w.connection.listed(topic, "", before);
  await pass(100);
  expect(w.did.subscribed).toEqual([TOPICS, TOPICS]);
});

it("is refetched when its screen is opened again", async () => {
  const w = await greeted();
  const leave = w.show();
  const asked = Date.now();
  await pass(100);
  w.say({ subscribed: all("p5") });
  await pass(100);
  leave();
  await pass(200);
  for (const topic of TOPICS) w.connection.want(topic, "");
  for (const topic of TOPICS) w.connection.listed(topic, "", asked);
  await pass(200);
  w.say({ subscribed: all("p8") });
  await pass(100);
  expect(w.did.subscribed).toEqual([TOPICS, TOPICS]);
});

it("is refetched again when that fails", async () => {
  const w = await greeted();
  w.will.refetch = false;
  w.show();
  await pass(100);
  w.say({ subscribed: all("p5") });
  await pass(100);
  w.will.refetch = true;
  await pass(5000);
  expect(w.did.refetched).toEqual([TOPICS]);
  await pass(10_000);
  expect(w.did.refetched).toHaveLength(1);
});
