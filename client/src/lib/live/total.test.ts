import { expect, it } from "vitest";
import { EMPTY_QUERY, type Query } from "@/lib/productQuery";
import {
  appendPage,
  applyEvents,
  createList,
  emptyEventLog,
  type LiveEvent,
  type LiveList,
  listsWithUnknownTotal,
} from ".";

const page = (ids: string[], total: number, nextCursor: string | null, query?: Query): LiveList =>
  createList(
    ids.map((_id) => ({ _id, version: 1, brand: "", name: "", description: "" })),
    {
      kind: "brandProducts",
      total,
      nextCursor,
      topic: "brand:1",
      position: "p1",
      startedAt: 1,
      ...(query && { query }),
    },
  );

const added = (_id: string): LiveEvent => ({
  topic: "brand:1",
  position: "p2",
  type: "product.added",
  at: "2026-11-22T04:26:24Z",
  data: { _id, version: 1 },
});

const removed = (_id: string): LiveEvent => ({
  ...added(_id),
  type: "product.removed",
  data: { _id, version: 2 },
});

const apply = (list: LiveList, ...events: LiveEvent[]) =>
  applyEvents({ lists: { list }, eventLog: emptyEventLog }, events).lists.list;

// The consistency test found this: the heading of a brand with 129 phones showed 130.
it("the total counts a phone once that was added while the pages were loaded", () => {
  // The response with the last page was sent after "d" had been added, and counts it.
  const list = appendPage(page(["c", "b"], 3, "b"), page(["a"], 4, null));
  expect(apply(list, added("d"))).toMatchObject({ ids: ["d", "c", "b", "a"], total: 4 });
});

it("the total counts a removal once that happened while the pages were loaded", () => {
  const list = appendPage(page(["c", "b"], 3, "b"), page(["a"], 2, null));
  expect(apply(list, removed("c"))).toMatchObject({ ids: ["b", "a"], total: 2 });
});

it("the total of a list in an order counts a removal once too", () => {
  const query = EMPTY_QUERY;
  const list = apply(page(["c", "b"], 3, "b", query), removed("c")) as LiveList;
  // The response with the last page was sent before "c" was removed, and arrives after the event.
  expect(appendPage(list, page(["a"], 3, null, query))).toMatchObject({ ids: ["b", "a"], total: 2 });
});

it("the total is the server's while there are further pages", () => {
  const list = page(["c", "b"], 7, "b");
  expect(apply(list, added("d"), removed("c"))).toMatchObject({ ids: ["d", "b"], total: 7 });
});

it.each([
  ["an entity that may be on a further page", page(["d", "c"], 4, "c"), removed("b"), ["list"]],
  ["a loaded entity", page(["d", "c"], 4, "c"), removed("d"), []],
  ["an entity that would be on a loaded page", page(["d", "b"], 4, "b"), removed("c"), []],
  ["an entity of a list without further pages", page(["d", "c"], 2, null), removed("b"), []],
  ["an entity of another topic", page(["d", "c"], 4, "c"), { ...removed("b"), topic: "brand:2" }, []],
])(
  "the total is unknown only after the removal of an entity of a further page: %s",
  (_, list, event, ids) => {
    expect(listsWithUnknownTotal([{ ...list, id: "list" }], [event])).toEqual(ids);
  },
);

it("the total stays known after a change that is not a removal", () => {
  const list = { ...page(["d", "c"], 4, "c"), id: "list" };
  expect(listsWithUnknownTotal([list], [added("b")])).toEqual([]);
});
