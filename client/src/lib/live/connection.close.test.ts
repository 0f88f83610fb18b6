import { beforeEach, describe, expect, it, vi } from "vitest";
import { event, liveConnection, makeConnection, token } from "@/testing/connectionHarness";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-21T04:00:00Z") });
});

describe("close codes", () => {
  it("1012 reconnects after a random delay", async () => {
    const harness = await liveConnection();
    harness.connection.onClose(1012);
    await vi.advanceTimersByTimeAsync(1999);
    expect(harness.calls.openedSockets).toHaveLength(1);
    expect(harness.calls.statuses.at(-1)).toBe("restarting");
    await vi.advanceTimersByTimeAsync(1);
    expect(harness.calls.openedSockets).toHaveLength(2);
    expect(harness.calls.statuses.at(-1)).toBe("reconnecting");
  });

  it("4401 renews the token and reconnects with it", async () => {
    const harness = makeConnection();
    harness.connection.start(token("old"));
    harness.receiveHello();
    harness.results.token = token("new");
    harness.connection.onClose(4401);
    await vi.advanceTimersByTimeAsync(0);
    expect(harness.calls.openedSockets.at(-1)).toEqual(["secondring.v1", `bearer.${harness.results.token}`]);
  });

  it("4401 reports the reason, and after a sign-out because of it connects as a visitor", async () => {
    const harness = makeConnection();
    harness.connection.start(token("old"));
    harness.receiveHello();
    harness.connection.onClose(4401, "password changed");
    expect(harness.calls.refusalReasons).toEqual(["password changed"]);
    harness.connection.setToken(null);
    await vi.advanceTimersByTimeAsync(0);
    expect(harness.calls.openedSockets.slice(1)).toEqual([["secondring.v1"]]);
    expect(harness.calls.renewals).toBe(0);
  });

  it("4401 repeats a renewal that fails, after growing delays", async () => {
    const harness = makeConnection();
    harness.connection.start(token("old", 2));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(harness.calls.openedSockets).toEqual([]);
    expect(harness.calls.renewals).toBeGreaterThan(3);
    expect(harness.calls.renewals).toBeLessThan(12);
  });

  it("1006 before the hello checks the session at once, but only for the first of several in a row", async () => {
    const harness = makeConnection();
    harness.connection.start(token("of a deleted account"));
    harness.connection.onClose(1006);
    expect(harness.calls.refusedHandshakes).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    harness.connection.onClose(1006);
    expect(harness.calls.refusedHandshakes).toBe(1);
    const visitor = makeConnection();
    visitor.connection.start(null);
    visitor.connection.onClose(1006);
    expect(visitor.calls.refusedHandshakes).toBe(0);
  });

  it("4403 stops and reports the deleted account", async () => {
    const harness = await liveConnection();
    harness.connection.onClose(4403);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(harness.calls.accountRemovals).toBe(1);
    expect(harness.calls.openedSockets).toHaveLength(1);
    expect(harness.calls.statuses.at(-1)).toBe("stopped");
  });

  it("4408 reconnects within 400 ms and resumes", async () => {
    const harness = await liveConnection();
    harness.receive({ events: [event("p6", 6)] });
    harness.connection.onClose(4408);
    await vi.advanceTimersByTimeAsync(300);
    harness.receiveHello();
    expect(harness.subscribeFrames().at(-1)).toEqual({ "brand:1": "p6" });
  });

  it.each([1008, 1009])("%i stops", async (code) => {
    const harness = await liveConnection();
    harness.connection.onClose(code);
    harness.connection.wake();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(harness.calls.statuses.at(-1)).toBe("stopped");
    expect(harness.calls.openedSockets).toHaveLength(1);
  });

  it("any other code reconnects after delays that grow up to 30 s, and start again after a stable connection", async () => {
    const harness = makeConnection();
    harness.connection.start(null);
    const delays: number[] = [];
    for (let i = 0; i < 9; i++) {
      const before = performance.now();
      const count = harness.calls.openedSockets.length;
      harness.connection.onClose(1006);
      while (harness.calls.openedSockets.length === count) await vi.advanceTimersByTimeAsync(25);
      delays.push(performance.now() - before);
    }
    expect(delays.slice(0, 3)).toEqual([1000, 3000, 6000]);
    expect(delays.at(-1)).toBe(22_500);
    harness.receiveHello();
    await vi.advanceTimersByTimeAsync(20_000);
    harness.connection.onClose(1006);
    const count = harness.calls.openedSockets.length;
    await vi.advanceTimersByTimeAsync(1000);
    expect(harness.calls.openedSockets).toHaveLength(count + 1);
  });
});

describe("the token", () => {
  it("is sent on the present connection after it was renewed", async () => {
    const harness = makeConnection();
    harness.connection.start(token("one"));
    harness.receiveHello();
    const renewed = token("one", 7200);
    harness.connection.setToken(renewed);
    expect(harness.calls.sent).toEqual([{ token: renewed }]);
    expect(harness.calls.openedSockets).toHaveLength(1);
  });

  it("is used for a new connection after sign-in and sign-out", async () => {
    const harness = await liveConnection();
    const newToken = token("karim");
    harness.connection.setToken(newToken);
    await vi.advanceTimersByTimeAsync(0);
    expect(harness.calls.openedSockets.at(-1)).toContain(`bearer.${newToken}`);
    harness.connection.setToken(null);
    await vi.advanceTimersByTimeAsync(0);
    expect(harness.calls.openedSockets.at(-1)).toEqual(["secondring.v1"]);
  });

  it("of another user starts a stopped connection again", async () => {
    const harness = await liveConnection();
    harness.connection.onClose(4403);
    harness.connection.setToken(token("other"));
    await vi.advanceTimersByTimeAsync(0);
    expect(harness.calls.openedSockets).toHaveLength(2);
  });
});
