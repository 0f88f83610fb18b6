import { describe, expect, it } from "vitest";
import { applyEvents, type LiveState, reconcile } from "./apply";
import { DEPARTED, depart, emptyEventLog, forget, RECENT_PER_TOPIC, TOMBSTONES } from "./eventLog";
import { listOf } from "./normalizedList";
import type { Entity, ListKind, LiveEvent, LiveList } from "./types";

type Phone = Entity & Record<string, unknown>;

const phone = (_id: string, version = 1, over: object = {}): Phone => ({
  _id,
  version,
  booked: false,
  ...over,
});

function list(kind: ListKind, topic: string, items: Phone[], nextCursor: string | null = null): LiveList {
  return listOf(items, { kind, total: null, nextCursor, topic, position: "p0", startedAt: 0 });
}

function event(topic: string, type: string, data: Phone): LiveEvent {
  return { topic, position: "p1", type, at: "2026-11-21T04:00:00Z", data };
}

const state = (lists: Record<string, LiveList>): LiveState => ({ lists, eventLog: emptyEventLog });
const brand = (...items: Phone[]) => state({ b: list("brandProducts", "brand:1", items) });
const on = (type: string, data: Phone) => event("brand:1", type, data);
const shown = (s: LiveState, key = "b") =>
  s.lists[key]?.ids.map((id) => `${id}v${s.lists[key]?.entities[id]?.version}`);

describe("a brand's list", () => {
  it("adds a new phone at its place, newest first", () => {
    const after = applyEvents(brand(phone("c"), phone("a")), [
      on("product.added", phone("d")),
      on("product.added", phone("b")),
    ]);
    expect(shown(after)).toEqual(["dv1", "cv1", "bv1", "av1"]);
    expect(after.lists.b?.total).toBe(4);
  });

  it("changes a booked phone in place and keeps the references of all others, and of the ids", () => {
    const before = brand(phone("b"), phone("a"));
    const after = applyEvents(before, [on("product.booked", phone("a", 2, { booked: true }))]);
    expect(after.lists.b?.entities.a).toMatchObject({ booked: true, version: 2 });
    expect(after.lists.b?.entities.b).toBe(before.lists.b?.entities.b);
    expect(after.lists.b?.ids).toBe(before.lists.b?.ids);
  });

  it("ignores an event whose version is not above its own", () => {
    const before = brand(phone("a", 3, { booked: true }));
    const after = applyEvents(before, [
      on("product.released", phone("a", 2)),
      on("product.changed", phone("a", 3, { booked: "other" })),
    ]);
    expect(after.lists).toBe(before.lists);
  });

  it("takes the newest of several versions in one batch, in whatever order they come", () => {
    const after = applyEvents(brand(phone("a")), [
      on("product.changed", phone("a", 4)),
      on("product.changed", phone("a", 3)),
    ]);
    expect(shown(after)).toEqual(["av4"]);
  });

  it("ignores events of other topics and of unknown types", () => {
    const before = brand(phone("a"));
    const after = applyEvents(before, [
      event("brand:2", "product.booked", phone("a", 9)),
      on("weather.changed", phone("a", 9)),
    ]);
    expect(after.lists).toBe(before.lists);
  });

  it("does not add a phone that belongs to a page that is not loaded", () => {
    const before = state({ b: list("brandProducts", "brand:1", [phone("d"), phone("c")], "more") });
    const after = applyEvents(before, [
      on("product.changed", phone("a", 2)),
      on("product.added", phone("e")),
    ]);
    expect(shown(after)).toEqual(["ev1", "dv1", "cv1"]);
  });
});

describe("removal", () => {
  const removed = (_id: string, version: number): Phone => ({ _id, version });

  it("takes the phone out of every list, on whichever topic", () => {
    const before = state({
      b: list("brandProducts", "brand:1", [phone("b"), phone("a")]),
      h: list("advertised", "advertised", [phone("a", 1, { advertise: true })]),
      r: list("reports", "admin", [phone("a")]),
    });
    const after = applyEvents(before, [on("product.removed", removed("a", 5))]);
    expect(shown(after)).toEqual(["bv1"]);
    expect(after.lists.b?.total).toBe(1);
    expect(shown(after, "h")).toEqual([]);
    expect(shown(after, "r")).toEqual(["av1"]);
  });

  it("is remembered: neither a late event nor a late list adds the phone again", () => {
    const gone = applyEvents(brand(phone("a")), [on("product.removed", removed("a", 5))]);
    const after = applyEvents(
      { ...gone, lists: { ...gone.lists, h: list("advertised", "advertised", []) } },
      [
        on("product.changed", phone("a", 4)),
        event("advertised", "advertised.changed", phone("a", 4, { advertise: true })),
      ],
    );
    expect(shown(after)).toEqual([]);
    expect(shown(after, "h")).toEqual([]);
    const answer = list("brandProducts", "brand:1", [phone("b"), phone("a", 4)]);
    expect(reconcile(answer, after.eventLog).ids).toEqual(["b"]);
    expect(reconcile(answer, forget(after.eventLog, null)).ids).toEqual(["b"]);
  });

  it("remembers a bounded number", () => {
    const id = (n: number) => `x${n}`;
    const events = Array.from({ length: TOMBSTONES + 10 }, (_, n) =>
      on("product.removed", removed(id(n), 2)),
    );
    const { eventLog } = applyEvents(brand(), events);
    expect(Object.keys(eventLog.tombstones)).toHaveLength(TOMBSTONES);
    expect(eventLog.tombstones[`product:${id(TOMBSTONES + 9)}`]).toBe(2);
  });
});

describe("the other lists", () => {
  it("Home keeps a phone only while it is advertised and not booked", () => {
    const live = (data: Phone) => event("advertised", "advertised.changed", data);
    const before = state({ b: list("advertised", "advertised", [phone("a", 1, { advertise: true })]) });
    const booked = applyEvents(before, [live(phone("a", 2, { advertise: true, booked: true }))]);
    expect(shown(booked)).toEqual([]);
    const free = applyEvents(booked, [live(phone("a", 3, { advertise: true }))]);
    expect(shown(free)).toEqual(["av3"]);
    expect(shown(applyEvents(free, [live(phone("a", 4, { advertise: false }))]))).toEqual([]);
  });

  it("the user's own phones and orders take the events of the user's topic, each of its family", () => {
    const before = state({
      p: list("ownProducts", "me", [phone("a")]),
      o: list("bookings", "me", [phone("a", 1, { status: "held" })]),
    });
    const after = applyEvents(before, [
      event("me", "product.booked", phone("a", 2, { booked: true, heldUntil: "soon" })),
      event("me", "booking.changed", phone("a", 3, { status: "expired" })),
      event("me", "booking.changed", phone("b", 1, { status: "held" })),
    ]);
    expect(after.lists.p?.entities.a).toMatchObject({ heldUntil: "soon", version: 2 });
    expect(after.lists.o?.entities.a).toMatchObject({ status: "expired", version: 3 });
    expect(after.lists.o?.ids).toEqual(["b", "a"]);
  });

  it("the admin's lists separate users by account type; a user who becomes an admin leaves, and may return", () => {
    const user = (id: string, version: number, accountType: string) => phone(id, version, { accountType });
    const before = state({
      buyers: list("buyers", "admin", [user("a", 1, "User")]),
      sellers: list("sellers", "admin", []),
      reports: list("reports", "admin", [phone("r")]),
    });
    const after = applyEvents(before, [
      event("admin", "user.created", user("b", 1, "Seller")),
      event("admin", "user.changed", user("b", 2, "Seller")),
      event("admin", "user.removed", { _id: "a", version: 2 }),
      event("admin", "report.created", phone("s")),
      event("admin", "report.removed", { _id: "r", version: 9 }),
    ]);
    expect(shown(after, "buyers")).toEqual([]);
    expect(shown(after, "sellers")).toEqual(["bv2"]);
    expect(shown(after, "reports")).toEqual(["sv1"]);
    const back = applyEvents(after, [event("admin", "user.created", user("a", 3, "User"))]);
    expect(shown(back, "buyers")).toEqual(["av3"]);
  });
});

describe("a fetched list that events have overtaken", () => {
  const seen = (...events: LiveEvent[]) => applyEvents(brand(), events).eventLog;
  const answer = (...items: Phone[]) => list("brandProducts", "brand:1", items);

  it("does not replace a later version", () => {
    const after = reconcile(
      answer(phone("a", 1)),
      seen(on("product.booked", phone("a", 2, { booked: true }))),
    );
    expect(after.entities.a).toMatchObject({ version: 2, booked: true });
  });

  it("gets what was added meanwhile", () => {
    expect(reconcile(answer(phone("a")), seen(on("product.added", phone("b")))).ids).toEqual(["b", "a"]);
  });

  it("does not get a phone again that it no longer has, by an older event", () => {
    const added = on("product.added", phone("b", 1));
    const held = answer(phone("b", 3), phone("a"));
    const coming = answer(phone("a"));
    const eventLog = depart(seen(added), held, coming);
    expect(reconcile(coming, eventLog)).toBe(coming);
    const told = (version: number) =>
      applyEvents({ lists: { b: coming }, eventLog: forget(eventLog, null) }, [
        on("product.changed", phone("b", version)),
      ]);
    expect(shown(told(2))).toEqual(["av1"]);
    expect(shown(told(3))).toEqual(["bv3", "av1"]);
  });

  it("gets a phone again that it lost only because it was older", () => {
    const coming = answer(phone("a"));
    const eventLog = depart(
      seen(on("product.added", phone("b", 1))),
      answer(phone("b", 1), phone("a")),
      coming,
    );
    expect(reconcile(coming, eventLog).ids).toEqual(["b", "a"]);
  });

  it("remembers a bounded number of what has left", () => {
    const many = Array.from({ length: DEPARTED + 10 }, (_, n) => phone(`x${n}`));
    expect(Object.keys(depart(emptyEventLog, answer(...many), answer()).departed)).toHaveLength(DEPARTED);
  });

  it("is not changed after events of the topic were missed", () => {
    const eventLog = forget(seen(on("product.added", phone("b"))), ["brand:1"]);
    const coming = answer(phone("a"));
    expect(reconcile(coming, eventLog)).toBe(coming);
  });

  it("is not changed if it is newer", () => {
    const coming = answer(phone("a", 3));
    expect(reconcile(coming, seen(on("product.booked", phone("a", 2))))).toBe(coming);
  });

  it("is compared with a limited number of entities", () => {
    const events = Array.from({ length: RECENT_PER_TOPIC + 5 }, (_, n) =>
      on("product.changed", phone(`x${n}`, 2)),
    );
    const { recent } = seen(...events);
    expect(Object.keys(recent["brand:1"] ?? {})).toHaveLength(RECENT_PER_TOPIC);
  });
});
