import { expect, test } from "vitest";
import { EMPTY_QUERY, type Query, type SearchableProduct } from "@/lib/productQuery";
import { applyEvents, reconcile } from "./applyEvents";
import { emptyEventLog } from "./eventLog";
import { appendPage, createList } from "./normalizedList";
import type { Entity, LiveEvent, LiveList } from "./types";

type Phone = Entity & SearchableProduct & Record<string, unknown>;

const phone = (_id: string, resalePrice: number, overrides: Partial<Phone> = {}): Phone => ({
  _id,
  version: 1,
  id: "1",
  name: "iPhone 6",
  brand: "Apple",
  description: "",
  location: "Dhaka",
  originalPrice: 500,
  resalePrice,
  productCondition: "Good",
  verified: true,
  booked: false,
  ...overrides,
});

const availableByPrice: Query = { ...EMPTY_QUERY, available: true, sort: "price-up" };

function list(items: Phone[], nextCursor: string | null = null, total = items.length): LiveList {
  const meta = { kind: "brandProducts", topic: "brand:1", position: "p0", startedAt: 0 } as const;
  return createList<Entity>(items, { ...meta, total, nextCursor, query: availableByPrice });
}

const event = (data: Phone, type = "product.changed"): LiveEvent => ({
  topic: "brand:1",
  position: "p1",
  type,
  at: "2026-11-21T04:00:00Z",
  data,
});

const apply = (before: LiveList, ...events: LiveEvent[]): LiveList =>
  applyEvents({ lists: { list: before }, eventLog: emptyEventLog }, events).lists.list as LiveList;

test("a list with an order keeps the server's order", () => {
  expect(list([phone("a", 100), phone("c", 200), phone("b", 200)]).ids).toEqual(["a", "c", "b"]);
});

test("a phone that no longer matches is updated and not moved", () => {
  const after = apply(
    list([phone("a", 100), phone("b", 200)]),
    event(phone("a", 100, { version: 2, booked: true })),
  );
  expect(after.ids).toEqual(["a", "b"]);
  expect(after.entities.a).toMatchObject({ booked: true });
  expect(after.total).toBe(2);
});

test("a phone with a new price is not moved", () => {
  const after = apply(list([phone("a", 100), phone("b", 200)]), event(phone("a", 300, { version: 2 })));
  expect(after.ids).toEqual(["a", "b"]);
});

test("a removed phone is removed from the list", () => {
  const after = apply(
    list([phone("a", 100), phone("b", 200)]),
    event(phone("a", 0, { version: 9 }), "product.removed"),
  );
  expect(after.ids).toEqual(["b"]);
  expect(after.total).toBe(1);
});

test("a phone that begins to match is inserted in order and counted", () => {
  const after = apply(
    list([phone("a", 100), phone("b", 200)]),
    event(phone("c", 150)),
    event(phone("d", 300)),
  );
  expect(after.ids).toEqual(["a", "c", "b", "d"]);
  expect(after.total).toBe(4);
});

test("a phone that does not match is not added", () => {
  const before = list([phone("a", 100)]);
  expect(apply(before, event(phone("b", 50, { booked: true })))).toBe(before);
});

test("a phone of a page that is not loaded is not added, also when the last loaded one changes", () => {
  const before = list([phone("a", 100), phone("b", 200)], "more", 3);
  const cheaper = apply(before, event(phone("b", 50, { version: 2 })));
  expect(apply(cheaper, event(phone("c", 150))).ids).toEqual(["a", "b", "c"]);
  expect(apply(cheaper, event(phone("d", 201))).ids).toEqual(["a", "b"]);
});

test("a further page is appended after phones have changed", () => {
  const first = apply(
    list([phone("a", 100), phone("b", 200)], "more", 3),
    event(phone("a", 900, { version: 2 })),
  );
  const both = appendPage(first, list([phone("c", 300)], null, 3));
  expect(both.ids).toEqual(["a", "b", "c"]);
  expect(apply(both, event(phone("d", 400))).ids).toContain("d");
});

test("a response older than an event does not add a phone that no longer matches", () => {
  const booked = event(phone("a", 100, { version: 2, booked: true }));
  const { eventLog } = applyEvents({ lists: {}, eventLog: emptyEventLog }, [booked]);
  expect(reconcile(list([phone("a", 100), phone("b", 200)]), eventLog).ids).toEqual(["b"]);
});
