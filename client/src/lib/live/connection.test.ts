import { beforeEach, describe, expect, it, vi } from "vitest";
import { event, liveConnection, makeConnection, token } from "@/testing/connectionHarness";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-21T04:00:00Z") });
});

describe("connecting", () => {
  it("offers the subprotocol to a visitor, and the token as a second one to a signed-in user", () => {
    const visitor = makeConnection();
    visitor.connection.start(null);
    expect(visitor.calls.openedSockets).toEqual([["secondring.v1"]]);
    const user = makeConnection();
    const bearer = token("karim");
    user.connection.start(bearer);
    expect(user.calls.openedSockets).toEqual([["secondring.v1", `bearer.${bearer}`]]);
  });

  it("is live and subscribes to its topics after the hello", async () => {
    const harness = makeConnection();
    harness.connection.start(null);
    harness.connection.subscribe("advertised", "p7");
    await vi.advanceTimersByTimeAsync(50);
    expect(harness.calls.sent).toEqual([]);
    harness.receiveHello();
    expect(harness.calls.statuses).toEqual(["connecting", "live"]);
    expect(harness.calls.sent).toEqual([{ subscribe: { advertised: "p7" } }]);
  });

  it("renews an expired token before it connects", async () => {
    const harness = makeConnection();
    harness.results.token = token("new");
    harness.connection.start(token("old", 5));
    await vi.advanceTimersByTimeAsync(0);
    expect(harness.calls.openedSockets).toEqual([["secondring.v1", `bearer.${harness.results.token}`]]);
  });

  it("renews the token after two refused handshakes, whose reason is unknown", async () => {
    const harness = makeConnection();
    harness.results.token = token("new");
    harness.connection.start(token("old"));
    harness.connection.onClose(1006);
    await vi.advanceTimersByTimeAsync(1000);
    expect(harness.calls.renewals).toBe(0);
    harness.connection.onClose(1006);
    await vi.advanceTimersByTimeAsync(3000);
    expect(harness.calls.renewals).toBe(1);
    expect(harness.calls.openedSockets.at(-1)).toContain(`bearer.${harness.results.token}`);
  });

  it("closes a socket that receives no hello", async () => {
    const harness = makeConnection();
    harness.connection.start(null);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(harness.calls.closedSockets).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(harness.calls.openedSockets).toHaveLength(2);
  });

  it("ignores frames that are not JSON objects", async () => {
    const harness = await liveConnection();
    for (const text of ["", "nonsense", "[]", "null", '"hello"']) harness.connection.onMessage(text);
    expect(harness.calls.statuses.at(-1)).toBe("live");
  });
});

describe("topics", () => {
  it("are subscribed for the first screen and unsubscribed after the last", async () => {
    const harness = await liveConnection();
    const unsubscribe = harness.connection.subscribe("brand:1", "p1", performance.now());
    const unsubscribeOther = harness.connection.subscribe("brand:2", "p1");
    await vi.advanceTimersByTimeAsync(200);
    expect(harness.subscribeFrames()).toEqual([{ "brand:1": "p1" }, { "brand:2": "p1" }]);
    unsubscribe();
    unsubscribe();
    unsubscribeOther();
    await vi.advanceTimersByTimeAsync(200);
    expect(harness.calls.sent.at(-1)).toEqual({ unsubscribe: ["brand:2"] });
    expect(harness.calls.clearedTopics).toEqual([["brand:2"]]);
  });

  it("stay subscribed when one screen replaces another", async () => {
    const harness = makeConnection();
    harness.connection.start(null);
    harness.receiveHello();
    const unsubscribe = harness.connection.subscribe("brand:1", "p1");
    await vi.advanceTimersByTimeAsync(100);
    harness.receive({ subscribed: { "brand:1": "p1" } });
    const before = harness.calls.sent.length;
    unsubscribe();
    harness.connection.subscribe("brand:1", "p9", performance.now() + 1);
    await vi.advanceTimersByTimeAsync(200);
    expect(harness.calls.sent).toHaveLength(before);
  });

  it("are not confirmed by a confirmation of an earlier subscription", async () => {
    const harness = makeConnection();
    harness.connection.start(null);
    harness.receiveHello();
    const unsubscribe = harness.connection.subscribe("brand:1", "p1");
    await vi.advanceTimersByTimeAsync(100);
    unsubscribe();
    await vi.advanceTimersByTimeAsync(100);
    harness.connection.subscribe("brand:1", "p2");
    harness.receive({ subscribed: { "brand:1": "p3" } });
    await vi.advanceTimersByTimeAsync(100);
    expect(harness.calls.sent).toEqual([
      { subscribe: { "brand:1": "p1" } },
      { unsubscribe: ["brand:1"] },
      { subscribe: { "brand:1": "p2" } },
    ]);
  });

  it("are replayed from the position of a list that was requested before they were confirmed", async () => {
    const harness = makeConnection();
    harness.connection.start(null);
    harness.receiveHello();
    harness.connection.subscribe("me", "");
    await vi.advanceTimersByTimeAsync(100);
    const requestedAt = performance.now() - 50;
    harness.receive({ subscribed: { me: "p5" } });
    await vi.advanceTimersByTimeAsync(100);
    expect(harness.calls.refetchedUnpositioned).toEqual([["me"]]);
    harness.connection.subscribe("me", "p4", requestedAt);
    await vi.advanceTimersByTimeAsync(100);
    expect(harness.subscribeFrames()).toEqual([{ me: "" }, { me: "p4" }]);
  });

  it("are replayed again from there if the connection breaks after the confirmation", async () => {
    const harness = await liveConnection();
    harness.receive({ events: [event("p3", 3)] });
    harness.connection.listFetched("brand:1", "p0", performance.now() - 1000);
    await vi.advanceTimersByTimeAsync(200);
    harness.receive({ subscribed: { "brand:1": "p0" } });
    harness.connection.onClose(1006);
    await vi.advanceTimersByTimeAsync(3000);
    harness.receiveHello();
    expect(harness.subscribeFrames()).toEqual([
      { "brand:1": "p1" },
      { "brand:1": "p0" },
      { "brand:1": "p0" },
    ]);
  });

  it("send nothing for a list that was requested after they were confirmed", async () => {
    const harness = await liveConnection();
    await vi.advanceTimersByTimeAsync(10);
    harness.connection.listFetched("brand:1", "p8", performance.now());
    await vi.advanceTimersByTimeAsync(500);
    expect(harness.subscribeFrames()).toHaveLength(1);
  });

  it("are sent in small frames, at most ten a second", async () => {
    const harness = makeConnection();
    harness.connection.start(null);
    for (let i = 0; i < 40; i++) harness.connection.subscribe(`brand:${i}`, "p".repeat(60));
    harness.receiveHello();
    expect(harness.calls.sent).toHaveLength(3);
    for (const frame of harness.calls.sent) expect(JSON.stringify(frame).length).toBeLessThan(4096);
    for (let i = 0; i < 50; i++) {
      harness.connection.subscribe(`late:${i}`, "p1");
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(harness.calls.sent.length - 3).toBeLessThanOrEqual(11);
  });

  it("are not requested again on this connection after they were denied", async () => {
    const harness = makeConnection();
    harness.connection.start(null);
    harness.connection.subscribe("admin", "");
    harness.receiveHello();
    harness.receive({ denied: ["admin"] });
    harness.connection.subscribe("brand:1", "p1");
    await vi.advanceTimersByTimeAsync(200);
    expect(harness.calls.deniedTopics).toEqual(["admin"]);
    expect(harness.subscribeFrames()).toEqual([{ admin: "" }, { "brand:1": "p1" }]);
  });
});

describe("events", () => {
  it("are applied together every 250 ms, in order", async () => {
    const harness = await liveConnection();
    harness.receive({ events: [event("p2", 2), event("p3", 3)] });
    harness.receive({ events: [event("p4", 4)] });
    expect(harness.calls.appliedEvents).toEqual([]);
    await vi.advanceTimersByTimeAsync(250);
    expect(harness.calls.appliedEvents.map((batch) => batch.map(({ position }) => position))).toEqual([
      ["p2", "p3", "p4"],
    ]);
  });

  it("are applied in at most five batches when there are a thousand in a second", async () => {
    const harness = await liveConnection();
    for (let i = 0; i < 1000; i++) {
      harness.receive({ events: [event(`p${i}`, i)] });
      await vi.advanceTimersByTimeAsync(1);
    }
    await vi.advanceTimersByTimeAsync(250);
    expect(harness.calls.appliedEvents.length).toBeLessThanOrEqual(5);
    expect(harness.calls.appliedEvents.flat()).toHaveLength(1000);
  });

  it("set the position from which a lost connection resumes", async () => {
    const harness = await liveConnection();
    harness.receive({ events: [event("p2", 2), event("p3", 3)] });
    harness.connection.onClose(1006);
    await vi.advanceTimersByTimeAsync(1000);
    harness.receiveHello();
    expect(harness.subscribeFrames().at(-1)).toEqual({ "brand:1": "p3" });
  });

  it("of an unsubscribed topic are ignored: they may be outdated when it is subscribed again", async () => {
    const harness = makeConnection();
    harness.connection.start(null);
    harness.receiveHello();
    const unsubscribe = harness.connection.subscribe("brand:1", "p1");
    await vi.advanceTimersByTimeAsync(100);
    harness.receive({ subscribed: { "brand:1": "p1" } });
    unsubscribe();
    await vi.advanceTimersByTimeAsync(200);
    harness.receive({ events: [event("p2", 2)] });
    await vi.advanceTimersByTimeAsync(250);
    expect(harness.calls.appliedEvents).toEqual([]);
  });

  it("that are queued are applied before the logged events are cleared", async () => {
    const harness = await liveConnection();
    harness.receive({ events: [event("p2", 2)] });
    harness.connection.onClose(1006);
    expect(harness.calls.appliedEvents).toHaveLength(1);
    expect(harness.calls.clearedTopics.at(-1)).toBeNull();
  });
});

describe("resync", () => {
  it("refetches the topic's lists, and repeats that until it succeeds", async () => {
    const harness = await liveConnection();
    harness.results.refetch = false;
    harness.receive({ resync: ["brand:1"] });
    await vi.advanceTimersByTimeAsync(0);
    expect(harness.calls.refetchedTopics).toEqual([["brand:1"]]);
    expect(harness.calls.clearedTopics).toContainEqual(["brand:1"]);
    harness.results.refetch = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(harness.calls.refetchedTopics).toEqual([["brand:1"], ["brand:1"]]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(harness.calls.refetchedTopics).toHaveLength(2);
  });

  /** Breaks the connection, and returns the positions from which the next one resumes. */
  async function reconnect(harness: Awaited<ReturnType<typeof liveConnection>>) {
    harness.connection.onClose(1006);
    await vi.advanceTimersByTimeAsync(3000);
    harness.receiveHello();
    return harness.subscribeFrames().at(-1);
  }

  it("on subscribing sets the position from which a lost connection resumes", async () => {
    const harness = await liveConnection();
    expect(await reconnect(harness)).toEqual({ "brand:1": "p1" });
    harness.receive({ subscribed: { "brand:1": "p9" } });
    harness.receive({ resync: ["brand:1"] });
    expect(await reconnect(harness)).toEqual({ "brand:1": "p9" });
  });

  it("of lost events on a live connection sets it too", async () => {
    const harness = await liveConnection();
    harness.receive({ events: [event("p2", 2)] });
    harness.receive({ subscribed: { "brand:1": "p7" } });
    harness.receive({ resync: ["brand:1"] });
    expect(await reconnect(harness)).toEqual({ "brand:1": "p7" });
  });

  it("that did not arrive before the connection broke is requested again", async () => {
    const harness = await liveConnection();
    await reconnect(harness);
    harness.receive({ subscribed: { "brand:1": "p9" } });
    expect(await reconnect(harness)).toEqual({ "brand:1": "p1" });
  });

  it("replays events to a list that was requested before it, and none to the refetch after it", async () => {
    const harness = await liveConnection();
    await vi.advanceTimersByTimeAsync(1000);
    const requestedAt = performance.now();
    await vi.advanceTimersByTimeAsync(50);
    harness.receive({ subscribed: { "brand:1": "p7" } });
    harness.receive({ resync: ["brand:1"] });
    harness.connection.listFetched("brand:1", "p8", performance.now());
    await vi.advanceTimersByTimeAsync(200);
    expect(harness.subscribeFrames()).toHaveLength(1);
    harness.connection.listFetched("brand:1", "p5", requestedAt);
    await vi.advanceTimersByTimeAsync(200);
    expect(harness.subscribeFrames().at(-1)).toEqual({ "brand:1": "p5" });
  });
});

describe("a connection without frames", () => {
  it("is replaced after two and a half heartbeat intervals", async () => {
    const harness = await liveConnection();
    await vi.advanceTimersByTimeAsync(60_000);
    harness.receive({});
    await vi.advanceTimersByTimeAsync(60_000);
    expect(harness.calls.statuses.at(-1)).toBe("live");
    await vi.advanceTimersByTimeAsync(2500);
    expect(harness.calls.statuses.at(-1)).toBe("reconnecting");
    await vi.advanceTimersByTimeAsync(1000);
    expect(harness.calls.openedSockets).toHaveLength(2);
  });
});

describe("a connection after the page has slept", () => {
  it("is asked at once, and is not live until the server has answered", async () => {
    const harness = await liveConnection();
    harness.connection.wake();
    expect(harness.calls.statuses.at(-1)).toBe("checking");
    expect(harness.calls.sent.at(-1)).toEqual({ subscribe: { "brand:1": "p1" } });
    harness.receive({ subscribed: { "brand:1": "p1" } });
    expect(harness.calls.statuses.at(-1)).toBe("live");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(harness.calls.openedSockets).toHaveLength(1);
    expect(harness.calls.refetchedTopics).toEqual([]);
  });

  it("is replaced at once when there is no answer", async () => {
    const harness = await liveConnection();
    harness.connection.wake();
    await vi.advanceTimersByTimeAsync(3001);
    expect(harness.calls.closedSockets).toBe(1);
    expect(harness.calls.openedSockets).toHaveLength(2);
    harness.receiveHello();
    expect(harness.calls.statuses.at(-1)).toBe("live");
    expect(harness.calls.sent.at(-1)).toEqual({ subscribe: { "brand:1": "p1" } });
  });

  it.each([
    ["a heartbeat", {}],
    ["an event", { events: [event("p2", 2)] }],
    ["a resync", { resync: ["brand:1"] }],
  ])("is not live again because of %s that was sent before", async (_, frame) => {
    const harness = await liveConnection();
    harness.connection.wake();
    harness.receive(frame);
    expect(harness.calls.statuses.at(-1)).toBe("checking");
    await vi.advanceTimersByTimeAsync(3001);
    expect(harness.calls.openedSockets).toHaveLength(2);
  });

  it("is live when the server answers that the topic is denied", async () => {
    const harness = await liveConnection();
    harness.connection.wake();
    harness.receive({ denied: ["brand:1"] });
    expect(harness.calls.statuses.at(-1)).toBe("live");
  });

  it("is asked once for many signs of it", async () => {
    const harness = await liveConnection();
    const before = harness.calls.sent.length;
    for (let sign = 0; sign < 50; sign++) harness.connection.wake();
    expect(harness.calls.sent).toHaveLength(before + 1);
  });

  it("is replaced at once without a topic to ask for", async () => {
    const harness = makeConnection();
    harness.connection.start(null);
    harness.receiveHello();
    harness.connection.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(harness.calls.openedSockets).toHaveLength(2);
  });

  it("is left alone during the handshake", async () => {
    const harness = makeConnection();
    harness.connection.start(null);
    harness.connection.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(harness.calls.openedSockets).toHaveLength(1);
  });
});

it("a connection is not attempted while the browser is offline, and is attempted at once when it is online", async () => {
  const harness = await liveConnection();
  harness.connection.goOffline();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(harness.calls.openedSockets).toHaveLength(1);
  harness.connection.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(harness.calls.openedSockets).toHaveLength(2);
});

it("a stopped connection does not reconnect", async () => {
  const harness = await liveConnection();
  harness.connection.stop();
  harness.connection.wake();
  harness.connection.onClose(1006);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(harness.calls.openedSockets).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});
