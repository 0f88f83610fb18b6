import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { event, live, makeConnection, token } from "@/testing/connectionHarness";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-21T04:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("close codes", () => {
  it("1012: reconnects after a random pause", async () => {
    const w = await live();
    w.connection.closed(1012);
    await vi.advanceTimersByTimeAsync(1999);
    expect(w.did.sockets).toHaveLength(1);
    expect(w.did.statuses.at(-1)).toBe("restarting");
    await vi.advanceTimersByTimeAsync(1);
    expect(w.did.sockets).toHaveLength(2);
    expect(w.did.statuses.at(-1)).toBe("reconnecting");
  });

  it("4401: renews the token, then reconnects with it", async () => {
    const w = makeConnection();
    w.connection.start(token("old"));
    w.greet();
    w.will.token = token("new");
    w.connection.closed(4401);
    await vi.advanceTimersByTimeAsync(0);
    expect(w.did.sockets.at(-1)).toEqual(["secondring.v1", `bearer.${w.will.token}`]);
  });

  it("4401 without a new token: tries again after growing pauses", async () => {
    const w = makeConnection();
    w.connection.start(token("old", 2));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(w.did.sockets).toEqual([]);
    expect(w.did.renewals).toBeGreaterThan(3);
    expect(w.did.renewals).toBeLessThan(12);
  });

  it("a refused handshake lets the session be checked at once, for the first of several in a row", async () => {
    const w = makeConnection();
    w.connection.start(token("of a deleted account"));
    w.connection.closed(1006);
    expect(w.did.handshakesRefused).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    w.connection.closed(1006);
    expect(w.did.handshakesRefused).toBe(1);
    const visitor = makeConnection();
    visitor.connection.start(null);
    visitor.connection.closed(1006);
    expect(visitor.did.handshakesRefused).toBe(0);
  });

  it("4403: the account was removed; stops for good", async () => {
    const w = await live();
    w.connection.closed(4403);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(w.did.accountRemoved).toBe(1);
    expect(w.did.sockets).toHaveLength(1);
    expect(w.did.statuses.at(-1)).toBe("stopped");
  });

  it("4408: reconnects soon and resumes", async () => {
    const w = await live();
    w.say({ events: [event("p6", 6)] });
    w.connection.closed(4408);
    await vi.advanceTimersByTimeAsync(300);
    w.greet();
    expect(w.subscribes().at(-1)).toEqual({ "brand:1": "p6" });
  });

  it.each([1008, 1009])("%i: stops", async (code) => {
    const w = await live();
    w.connection.closed(code);
    w.connection.wake();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(w.did.statuses.at(-1)).toBe("stopped");
    expect(w.did.sockets).toHaveLength(1);
  });

  it("any other: the pause grows up to half a minute, until a connection was stable", async () => {
    const w = makeConnection();
    w.connection.start(null);
    const waits: number[] = [];
    for (let i = 0; i < 9; i++) {
      const before = Date.now();
      const count = w.did.sockets.length;
      w.connection.closed(1006);
      while (w.did.sockets.length === count) await vi.advanceTimersByTimeAsync(25);
      waits.push(Date.now() - before);
    }
    expect(waits.slice(0, 3)).toEqual([1000, 3000, 6000]);
    expect(waits.at(-1)).toBe(22_500);
    w.greet();
    await vi.advanceTimersByTimeAsync(20_000);
    w.connection.closed(1006);
    const count = w.did.sockets.length;
    await vi.advanceTimersByTimeAsync(1000);
    expect(w.did.sockets).toHaveLength(count + 1);
  });
});

describe("the token", () => {
  it("is sent on the present connection when it was renewed", async () => {
    const w = makeConnection();
    w.connection.start(token("one"));
    w.greet();
    const renewed = token("one", 7200);
    w.connection.setToken(renewed);
    expect(w.did.sent).toEqual([{ token: renewed }]);
    expect(w.did.sockets).toHaveLength(1);
  });

  it("needs a new connection after sign-in and sign-out", async () => {
    const w = await live();
    const gained = token("karim");
    w.connection.setToken(gained);
    await vi.advanceTimersByTimeAsync(0);
    expect(w.did.sockets.at(-1)).toContain(`bearer.${gained}`);
    w.connection.setToken(null);
    await vi.advanceTimersByTimeAsync(0);
    expect(w.did.sockets.at(-1)).toEqual(["secondring.v1"]);
  });

  it("starts a stopped connection again after sign-in", async () => {
    const w = await live();
    w.connection.closed(4403);
    w.connection.setToken(token("other"));
    await vi.advanceTimersByTimeAsync(0);
    expect(w.did.sockets).toHaveLength(2);
  });
});
