import { describe, expect, it } from "vitest";
import { applyEvents, type LiveState, reconcile } from "./applyEvents";
import {
  clearEvents,
  emptyEventLog,
  MAX_DROPPED,
  MAX_EVENTS_PER_TOPIC,
  MAX_REMOVED,
  recordDropped,
} from "./eventLog";
import { createList } from "./normalizedList";
import type { Entity, ListKind, LiveEvent, LiveList } from "./types";

type Phone = Entity & Record<string, unknown>;

const phone = (_id: string, version = 1, overrides: object = {}): Phone => ({
  _id,
  version,
  booked: false,
  ...overrides,
});

function list(kind: ListKind, topic: string, items: Phone[], nextCursor: string | null = null): LiveList {
  return createList(items, { kind, total: null, nextCursor, topic, position: "p0", startedAt: 0 });
}

function event(topic: string, type: string, data: Phone): LiveEvent {
  return { topic, position: "p1", type, at: "2026-11-21T04:00:00Z", data };
}

const state = (lists: Record<string, LiveList>): LiveState => ({ lists, eventLog: emptyEventLog });
const brandState = (...items: Phone[]) => state({ b: list("brandProducts", "brand:1", items) });
const brandEvent = (type: string, data: Phone) => event("brand:1", type, data);
const versions = (s: LiveState, key = "b") =>
  s.lists[key]?.ids.map((id) => `${id}v${s.lists[key]?.entities[id]?.version}`);

it("an event of a place on a waitlist without the phone removes it, and an earlier one does not bring it back", () => {
  const before = state({ w: list("waits", "me", [phone("a", 3)]) });
  const ended = event("me", "waitlist.changed", { _id: "a", version: 5 } as Phone);
  const moved = event("me", "waitlist.changed", phone("a", 4, { productID: "p" }));
  expect(versions(applyEvents(before, [moved]), "w")).toEqual(["av4"]);
  expect(versions(applyEvents(applyEvents(before, [ended]), [moved]), "w")).toEqual([]);
});

it("an admin's page of a phone keeps contact data that the events of its topic do not have", () => {
  const before = brandState(phone("a", 1, { sellerKey: "s", email: "ann@mail.example", phone: "0171" }));
  const after = applyEvents(before, [brandEvent("product.changed", phone("a", 2, { sellerKey: "s" }))]);
  expect(after.lists.b?.entities.a).toMatchObject({ version: 2, email: "ann@mail.example", phone: "0171" });
});

it("a hidden phone comes back in a version after that of its removal, and an earlier removal does not remove it again", () => {
  const removal = brandEvent("product.removed", { _id: "a", version: 5 } as Phone);
  const hidden = applyEvents(brandState(phone("a", 4), phone("b")), [removal]);
  expect(versions(hidden)).toEqual(["bv1"]);
  expect(hidden.eventLog.returned).toEqual({});
  const before = applyEvents(hidden, [brandEvent("product.changed", phone("a", 5))]);
  expect(versions(before)).toEqual(["bv1"]);
  const back = applyEvents(before, [brandEvent("product.added", phone("a", 6))]);
  expect(versions(back)).toEqual(["bv1", "av6"]);
  expect(back.eventLog.returned).toEqual({ "product:a": true });
  const late = applyEvents(back, [{ ...removal, topic: "me" }]);
  expect(versions(late)).toEqual(["bv1", "av6"]);
  const again = applyEvents(late, [brandEvent("product.removed", { _id: "a", version: 7 } as Phone)]);
  expect(versions(again)).toEqual(["bv1"]);
  expect(again.eventLog.returned).toEqual({});
});

it("cases are oldest first, and one of another state leaves the list of its state", () => {
  const open = (_id: string, version = 1) => phone(_id, version, { state: "open" });
  const cases = createList([open("c"), open("b")], {
    kind: "cases",
    filter: { state: "open" },
    total: 3,
    nextCursor: "c",
    topic: "admin",
    position: "p0",
    startedAt: 0,
  });
  const after = applyEvents(state({ c: cases }), [
    event("admin", "case.changed", open("a")),
    event("admin", "case.changed", open("d")), // of a page that is not loaded
    event("admin", "case.changed", phone("b", 2, { state: "decided" })),
  ]);
  expect(versions(after, "c")).toEqual(["av1", "cv1"]);
});

describe("a brand's list", () => {
  it("inserts a new phone in order, newest first", () => {
    const after = applyEvents(brandState(phone("c"), phone("a")), [
      brandEvent("product.added", phone("d")),
      brandEvent("product.added", phone("b")),
    ]);
    expect(versions(after)).toEqual(["dv1", "cv1", "bv1", "av1"]);
    expect(after.lists.b?.total).toBe(4);
  });

  it("updates a booked phone and keeps the references of the ids and of all other phones", () => {
    const before = brandState(phone("b"), phone("a"));
    const after = applyEvents(before, [brandEvent("product.booked", phone("a", 2, { booked: true }))]);
    expect(after.lists.b?.entities.a).toMatchObject({ booked: true, version: 2 });
    expect(after.lists.b?.entities.b).toBe(before.lists.b?.entities.b);
    expect(after.lists.b?.ids).toBe(before.lists.b?.ids);
  });

  it("ignores an event whose version is not above the phone's", () => {
    const before = brandState(phone("a", 3, { booked: true }));
    const after = applyEvents(before, [
      brandEvent("product.released", phone("a", 2)),
      brandEvent("product.changed", phone("a", 3, { booked: "other" })),
    ]);
    expect(after.lists).toBe(before.lists);
  });

  it("applies the newest of several versions in one batch, in any order", () => {
    const after = applyEvents(brandState(phone("a")), [
      brandEvent("product.changed", phone("a", 4)),
      brandEvent("product.changed", phone("a", 3)),
    ]);
    expect(versions(after)).toEqual(["av4"]);
  });

  it("ignores events of other topics and of unknown types", () => {
    const before = brandState(phone("a"));
    const after = applyEvents(before, [
      event("brand:2", "product.booked", phone("a", 9)),
      brandEvent("unknown.changed", phone("a", 9)),
    ]);
    expect(after.lists).toBe(before.lists);
  });

  it("does not add a phone that belongs to a page that is not loaded", () => {
    const before = state({ b: list("brandProducts", "brand:1", [phone("d"), phone("c")], "more") });
    const after = applyEvents(before, [
      brandEvent("product.changed", phone("a", 2)),
      brandEvent("product.added", phone("e")),
    ]);
    expect(versions(after)).toEqual(["ev1", "dv1", "cv1"]);
  });
});

describe("removal", () => {
  const removed = (_id: string, version: number): Phone => ({ _id, version });

  it("removes the phone from every list, on any topic", () => {
    const before = state({
      b: list("brandProducts", "brand:1", [phone("b"), phone("a")]),
      h: list("advertised", "advertised", [phone("a", 1, { advertise: true })]),
      r: list("reports", "admin", [phone("a")]),
    });
    const after = applyEvents(before, [brandEvent("product.removed", removed("a", 5))]);
    expect(versions(after)).toEqual(["bv1"]);
    expect(after.lists.b?.total).toBe(1);
    expect(versions(after, "h")).toEqual([]);
    expect(versions(after, "r")).toEqual(["av1"]);
  });

  it("is recorded: neither a late event nor a late response adds the phone again", () => {
    const removedState = applyEvents(brandState(phone("a")), [
      brandEvent("product.removed", removed("a", 5)),
    ]);
    const after = applyEvents(
      { ...removedState, lists: { ...removedState.lists, h: list("advertised", "advertised", []) } },
      [
        brandEvent("product.changed", phone("a", 4)),
        event("advertised", "advertised.changed", phone("a", 4, { advertise: true })),
      ],
    );
    expect(versions(after)).toEqual([]);
    expect(versions(after, "h")).toEqual([]);
    const response = list("brandProducts", "brand:1", [phone("b"), phone("a", 4)]);
    expect(reconcile(response, after.eventLog).ids).toEqual(["b"]);
    expect(reconcile(response, clearEvents(after.eventLog, null)).ids).toEqual(["b"]);
  });

  it("is recorded for a limited number of phones", () => {
    const id = (n: number) => `x${n}`;
    const events = Array.from({ length: MAX_REMOVED + 10 }, (_, n) =>
      brandEvent("product.removed", removed(id(n), 2)),
    );
    const { eventLog } = applyEvents(brandState(), events);
    expect(Object.keys(eventLog.removedVersions)).toHaveLength(MAX_REMOVED);
    expect(eventLog.removedVersions[`product:${id(MAX_REMOVED + 9)}`]).toBe(2);
  });
});

describe("events", () => {
  it("keep a phone in the list of advertised phones only while it is advertised and not booked", () => {
    const advertisedEvent = (data: Phone) => event("advertised", "advertised.changed", data);
    const before = state({ b: list("advertised", "advertised", [phone("a", 1, { advertise: true })]) });
    const booked = applyEvents(before, [advertisedEvent(phone("a", 2, { advertise: true, booked: true }))]);
    expect(versions(booked)).toEqual([]);
    const available = applyEvents(booked, [advertisedEvent(phone("a", 3, { advertise: true }))]);
    expect(versions(available)).toEqual(["av3"]);
    expect(versions(applyEvents(available, [advertisedEvent(phone("a", 4, { advertise: false }))]))).toEqual(
      [],
    );
  });

  it("of the user's topic change the user's phones and orders, each by its entity type", () => {
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

  it("put an order into the list of its side: what a seller buys, or what they sell", () => {
    const before = state({ o: list("bookings", "me", []), s: list("sales", "me", []) });
    const after = applyEvents(before, [
      event("me", "booking.changed", phone("a", 1, { side: "buyer" })),
      event("me", "booking.changed", phone("b", 1, { side: "seller" })),
    ]);
    expect(after.lists.o?.ids).toEqual(["a"]);
    expect(after.lists.s?.ids).toEqual(["b"]);
  });

  it("put users into the admin's lists by account type, and remove and add one who becomes an admin and a buyer again", () => {
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
    expect(versions(after, "buyers")).toEqual([]);
    expect(versions(after, "sellers")).toEqual(["bv2"]);
    expect(versions(after, "reports")).toEqual(["sv1"]);
    const addedAgain = applyEvents(after, [event("admin", "user.created", user("a", 3, "User"))]);
    expect(versions(addedAgain, "buyers")).toEqual(["av3"]);
  });
});

describe("a response that is older than logged events", () => {
  const logOf = (...events: LiveEvent[]) => applyEvents(brandState(), events).eventLog;
  const response = (...items: Phone[]) => list("brandProducts", "brand:1", items);

  it("does not replace a newer version", () => {
    const after = reconcile(
      response(phone("a", 1)),
      logOf(brandEvent("product.booked", phone("a", 2, { booked: true }))),
    );
    expect(after.entities.a).toMatchObject({ version: 2, booked: true });
  });

  it("gets a phone that was added meanwhile", () => {
    expect(reconcile(response(phone("a")), logOf(brandEvent("product.added", phone("b")))).ids).toEqual([
      "b",
      "a",
    ]);
  });

  it("does not get a phone that it no longer has from an older event", () => {
    const added = brandEvent("product.added", phone("b", 1));
    const cached = response(phone("b", 3), phone("a"));
    const fetched = response(phone("a"));
    const eventLog = recordDropped(logOf(added), cached, fetched);
    expect(reconcile(fetched, eventLog)).toBe(fetched);
    const afterChange = (version: number) =>
      applyEvents({ lists: { b: fetched }, eventLog: clearEvents(eventLog, null) }, [
        brandEvent("product.changed", phone("b", version)),
      ]);
    expect(versions(afterChange(2))).toEqual(["av1"]);
    expect(versions(afterChange(3))).toEqual(["bv3", "av1"]);
  });

  it("gets a phone that it does not have only because it is older", () => {
    const fetched = response(phone("a"));
    const eventLog = recordDropped(
      logOf(brandEvent("product.added", phone("b", 1))),
      response(phone("b", 1), phone("a")),
      fetched,
    );
    expect(reconcile(fetched, eventLog).ids).toEqual(["b", "a"]);
  });

  it("logs a limited number of dropped phones", () => {
    const dropped = Array.from({ length: MAX_DROPPED + 10 }, (_, n) => phone(`x${n}`));
    expect(
      Object.keys(recordDropped(emptyEventLog, response(...dropped), response()).droppedVersions),
    ).toHaveLength(MAX_DROPPED);
  });

  it("is not changed after the topic's events were cleared", () => {
    const eventLog = clearEvents(logOf(brandEvent("product.added", phone("b"))), ["brand:1"]);
    const fetched = response(phone("a"));
    expect(reconcile(fetched, eventLog)).toBe(fetched);
  });

  it("is not changed if it is newer than the events", () => {
    const fetched = response(phone("a", 3));
    expect(reconcile(fetched, logOf(brandEvent("product.booked", phone("a", 2))))).toBe(fetched);
  });

  it("is compared with a limited number of logged events", () => {
    const events = Array.from({ length: MAX_EVENTS_PER_TOPIC + 5 }, (_, n) =>
      brandEvent("product.changed", phone(`x${n}`, 2)),
    );
    const { recentEvents } = logOf(...events);
    expect(Object.keys(recentEvents["brand:1"] ?? {})).toHaveLength(MAX_EVENTS_PER_TOPIC);
  });
});
