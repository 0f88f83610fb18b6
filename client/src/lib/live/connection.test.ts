import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { event, live, makeConnection, token } from "@/testing/connectionHarness";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-21T04:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("connecting", () => {
  it("offers the protocol alone to a visitor, the token as a second one when signed in", () => {
    const visitor = makeConnection();
    visitor.connection.start(null);
    expect(visitor.did.sockets).toEqual([["secondring.v1"]]);
    const member = makeConnection();
    const bearer = token("karim");
    member.connection.start(bearer);
    expect(member.did.sockets).toEqual([["secondring.v1", `bearer.${bearer}`]]);
  });

  it("is live after the hello, and subscribes to its topics then", async () => {
    const w = makeConnection();
    w.connection.start(null);
    w.connection.want("advertised", "p7");
    await vi.advanceTimersByTimeAsync(50);
    expect(w.did.sent).toEqual([]);
    w.greet();
    expect(w.did.statuses).toEqual(["connecting", "live"]);
    expect(w.did.sent).toEqual([{ subscribe: { advertised: "p7" } }]);
  });

  it("renews an expired token before it connects", async () => {
    const w = makeConnection();
    w.will.token = token("new");
    w.connection.start(token("old", 5));
    await vi.advanceTimersByTimeAsync(0);
    expect(w.did.sockets).toEqual([["secondring.v1", `bearer.${w.will.token}`]]);
  });

  it("renews the token after two refused handshakes, which give no reason", async () => {
    const w = makeConnection();
    w.will.token = token("new");
    w.connection.start(token("old"));
    w.connection.closed(1006);
    await vi.advanceTimersByTimeAsync(1000);
    expect(w.did.renewals).toBe(0);
    w.connection.closed(1006);
    await vi.advanceTimersByTimeAsync(3000);
    expect(w.did.renewals).toBe(1);
    expect(w.did.sockets.at(-1)).toContain(`bearer.${w.will.token}`);
  });

  it("closes a socket without a hello", async () => {
    const w = makeConnection();
    w.connection.start(null);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(w.did.hungUp).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(w.did.sockets).toHaveLength(2);
  });

  it("ignores frames that are not JSON objects", async () => {
    const w = await live();
    for (const text of ["", "nonsense", "[]", "null", '"hello"']) w.connection.frame(text);
    expect(w.did.statuses.at(-1)).toBe("live");
  });
});

describe("topics", () => {
  it("are subscribed with the first screen and left with the last", async () => {
    const w = await live();
    const leave = w.connection.want("brand:1", "p1", Date.now());
    const alsoLeave = w.connection.want("brand:2", "p1");
    await vi.advanceTimersByTimeAsync(200);
    expect(w.subscribes()).toEqual([{ "brand:1": "p1" }, { "brand:2": "p1" }]);
    leave();
    leave();
    alsoLeave();
    await vi.advanceTimersByTimeAsync(200);
    expect(w.did.sent.at(-1)).toEqual({ unsubscribe: ["brand:2"] });
    expect(w.did.forgot).toEqual([["brand:2"]]);
  });

  it("stay when one screen takes another's place", async () => {
    const w = makeConnection();
    w.connection.start(null);
    w.greet();
    const leave = w.connection.want("brand:1", "p1");
    await vi.advanceTimersByTimeAsync(100);
    w.say({ subscribed: { "brand:1": "p1" } });
    const before = w.did.sent.length;
    leave();
    w.connection.want("brand:1", "p9", Date.now() + 1);
    await vi.advanceTimersByTimeAsync(200);
    expect(w.did.sent).toHaveLength(before);
  });

  it("left and wanted again are not in force by the confirmation of the first subscription", async () => {
    const w = makeConnection();
    w.connection.start(null);
    w.greet();
    const leave = w.connection.want("brand:1", "p1");
    await vi.advanceTimersByTimeAsync(100);
    leave();
    await vi.advanceTimersByTimeAsync(100);
    w.connection.want("brand:1", "p2");
    w.say({ subscribed: { "brand:1": "p3" } });
    await vi.advanceTimersByTimeAsync(100);
    expect(w.did.sent).toEqual([
      { subscribe: { "brand:1": "p1" } },
      { unsubscribe: ["brand:1"] },
      { subscribe: { "brand:1": "p2" } },
    ]);
  });

  it("are replayed from a list that was requested before they were in force", async () => {
    const w = makeConnection();
    w.connection.start(null);
    w.greet();
    w.connection.want("me", "");
    await vi.advanceTimersByTimeAsync(100);
    const askedFor = Date.now() - 50;
    w.say({ subscribed: { me: "p5" } });
    await vi.advanceTimersByTimeAsync(100);
    expect(w.did.subscribed).toEqual([["me"]]);
    w.connection.want("me", "p4", askedFor);
    await vi.advanceTimersByTimeAsync(100);
    expect(w.subscribes()).toEqual([{ me: "" }, { me: "p4" }]);
  });

  it("send nothing for a list that was requested while they were in force", async () => {
    const w = await live();
    await vi.advanceTimersByTimeAsync(10);
    w.connection.listed("brand:1", "p8", Date.now());
    await vi.advanceTimersByTimeAsync(500);
    expect(w.subscribes()).toHaveLength(1);
  });

  it("are sent in frames that the server allows: few topics each, at most ten a second", async () => {
    const w = makeConnection();
    w.connection.start(null);
    for (let i = 0; i < 40; i++) w.connection.want(`brand:${i}`, "p".repeat(60));
    w.greet();
    expect(w.did.sent).toHaveLength(3);
    for (const frame of w.did.sent) expect(JSON.stringify(frame).length).toBeLessThan(4096);
    for (let i = 0; i < 50; i++) {
      w.connection.want(`late:${i}`, "p1");
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(w.did.sent.length - 3).toBeLessThanOrEqual(11);
  });

  it("that are denied are not requested again on this connection", async () => {
    const w = makeConnection();
    w.connection.start(null);
    w.connection.want("admin", "");
    w.greet();
    w.say({ denied: ["admin"] });
    w.connection.want("brand:1", "p1");
    await vi.advanceTimersByTimeAsync(200);
    expect(w.did.denied).toEqual(["admin"]);
    expect(w.subscribes()).toEqual([{ admin: "" }, { "brand:1": "p1" }]);
  });
});

describe("events", () => {
  it("are applied together every 250 ms, in order", async () => {
    const w = await live();
    w.say({ events: [event("p2", 2), event("p3", 3)] });
    w.say({ events: [event("p4", 4)] });
    expect(w.did.applied).toEqual([]);
    await vi.advanceTimersByTimeAsync(250);
    expect(w.did.applied.map((batch) => batch.map(({ position }) => position))).toEqual([["p2", "p3", "p4"]]);
  });

  it("a thousand a second cost four batches", async () => {
    const w = await live();
    for (let i = 0; i < 1000; i++) {
      w.say({ events: [event(`p${i}`, i)] });
      await vi.advanceTimersByTimeAsync(1);
    }
    await vi.advanceTimersByTimeAsync(250);
    expect(w.did.applied.length).toBeLessThanOrEqual(5);
    expect(w.did.applied.flat()).toHaveLength(1000);
  });

  it("change the position from which a lost connection resumes", async () => {
    const w = await live();
    w.say({ events: [event("p2", 2), event("p3", 3)] });
    w.connection.closed(1006);
    await vi.advanceTimersByTimeAsync(1000);
    w.greet();
    expect(w.subscribes().at(-1)).toEqual({ "brand:1": "p3" });
  });

  it("of a topic that has been left are dropped: they may be outdated before it is wanted again", async () => {
    const w = makeConnection();
    w.connection.start(null);
    w.greet();
    const leave = w.connection.want("brand:1", "p1");
    await vi.advanceTimersByTimeAsync(100);
    w.say({ subscribed: { "brand:1": "p1" } });
    leave();
    await vi.advanceTimersByTimeAsync(200);
    w.say({ events: [event("p2", 2)] });
    await vi.advanceTimersByTimeAsync(250);
    expect(w.did.applied).toEqual([]);
  });

  it("that wait are applied before the events of the topic are forgotten", async () => {
    const w = await live();
    w.say({ events: [event("p2", 2)] });
    w.connection.closed(1006);
    expect(w.did.applied).toHaveLength(1);
    expect(w.did.forgot.at(-1)).toBeNull();
  });
});

describe("resync", () => {
  it("refetches the topic's lists, and repeats that until it succeeds", async () => {
    const w = await live();
    w.will.refetch = false;
    w.say({ resync: ["brand:1"] });
    await vi.advanceTimersByTimeAsync(0);
    expect(w.did.refetched).toEqual([["brand:1"]]);
    expect(w.did.forgot).toContainEqual(["brand:1"]);
    w.will.refetch = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(w.did.refetched).toEqual([["brand:1"], ["brand:1"]]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(w.did.refetched).toHaveLength(2);
  });
});

describe("silence", () => {
  it("of two and a half heartbeats ends the connection; a heartbeat keeps it", async () => {
    const w = await live();
    await vi.advanceTimersByTimeAsync(60_000);
    w.say({});
    await vi.advanceTimersByTimeAsync(60_000);
    expect(w.did.statuses.at(-1)).toBe("live");
    await vi.advanceTimersByTimeAsync(2500);
    expect(w.did.statuses.at(-1)).toBe("reconnecting");
    await vi.advanceTimersByTimeAsync(1000);
    expect(w.did.sockets).toHaveLength(2);
  });

  it("during sleep is noticed on waking", async () => {
    const w = await live();
    vi.setSystemTime(Date.now() + 3_600_000);
    w.connection.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(w.did.sockets).toHaveLength(2);
  });

  it("is not assumed on waking when a frame came just now", async () => {
    const w = await live();
    w.connection.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(w.did.sockets).toHaveLength(1);
  });
});

describe("the network", () => {
  it("is down: no attempt; is up: an attempt at once", async () => {
    const w = await live();
    w.connection.offline();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(w.did.sockets).toHaveLength(1);
    w.connection.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(w.did.sockets).toHaveLength(2);
  });
});

it("a stopped connection does nothing", async () => {
  const w = await live();
  w.connection.stop();
  w.connection.wake();
  w.connection.closed(1006);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(w.did.sockets).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});
