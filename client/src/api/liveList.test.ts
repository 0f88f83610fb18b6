import { describe, expect, it } from "vitest";
import type { LiveList } from "@/lib/live";
import { anEvent, aProduct } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, startServer } from "@/testing/server";
import { storeOf } from "@/testing/serverScreen";
import { api } from "./api";
import { eventsCleared, eventsReceived } from "./liveActions";
import { liveList, type PageArg } from "./liveList";
import { refetchLists } from "./refetchLists";
import { listHidden, listShown } from "./shownLists";
import type { Product } from "./types";

startServer();

const testApi = api.injectEndpoints({
  endpoints: (build) => ({
    phones: build.query(
      liveList<Product, { brand: string } & PageArg>("brandProducts", ({ brand }) => `/test/${brand}`),
    ),
  }),
});
const { phones } = testApi.endpoints;

const manyPhones = (count: number) =>
  Array.from({ length: count }, (_, n) => aProduct({ name: `Phone ${n}` }));
const names = (list: LiveList<Product> | undefined) => list?.ids.map((id) => list.entities[id]?.name);

/** A store with the list of this brand on the screen. */
async function setUp(items: Product[], brand = "1") {
  const store = storeOf(null);
  const list = onList(`/test/${brand}`, `brand:${brand}`, items);
  const query = store.dispatch(phones.initiate({ brand }));
  await query;
  const cachedList = () => phones.select({ brand })(store.getState()).data;
  const id = cachedList()?.id ?? "";
  store.dispatch(listShown(id));
  const loadMore = () =>
    store.dispatch(
      phones.initiate(
        { brand, cursor: cachedList()?.nextCursor ?? "" },
        { forceRefetch: true, subscribe: false },
      ),
    );
  const close = () => {
    query.unsubscribe();
    store.dispatch(listHidden(id));
  };
  return { store, list, cachedList, loadMore, close };
}

describe("a list", () => {
  it("is normalised by id, newest first, and has the data of the headers", async () => {
    const { cachedList } = await setUp(manyPhones(3));
    expect(names(cachedList())).toEqual(["Phone 2", "Phone 1", "Phone 0"]);
    expect(cachedList()).toMatchObject({
      kind: "brandProducts",
      total: 3,
      nextCursor: null,
      topic: "brand:1",
      position: "e1-1",
    });
  });

  it("grows by a page and keeps the position of the first page", async () => {
    const { cachedList, loadMore } = await setUp(manyPhones(150));
    expect(cachedList()?.ids).toHaveLength(100);
    await loadMore();
    expect(cachedList()?.ids).toHaveLength(150);
    expect(cachedList()).toMatchObject({ nextCursor: null, position: "e1-1", total: 150 });
    expect(callsTo("GET", "/test/1")[1]?.url).toMatch(/limit=100&cursor=/);
  });

  it("keeps its pages when the next page fails", async () => {
    const { cachedList, loadMore } = await setUp(manyPhones(150));
    on("get", "/test/1", errorResponse(503, "Please try again in a moment"));
    const { error } = await loadMore();
    expect(error).toMatchObject({ message: "Please try again in a moment" });
    expect(cachedList()?.ids).toHaveLength(100);
  });

  it("is refetched with as many rows as before, without removed ones", async () => {
    const { store, list, cachedList, loadMore } = await setUp(manyPhones(250));
    await loadMore();
    expect(cachedList()?.ids).toHaveLength(200);
    list.splice(100, 10);
    expect(await store.dispatch(refetchLists(({ topic }) => topic === "brand:1"))).toBe(true);
    expect(cachedList()?.ids).toHaveLength(200);
    expect(names(cachedList())).not.toContain("Phone 105");
    expect(cachedList()?.position).toBe("e1-3");
  });

  it("is refetched while a further page is loading", async () => {
    const { store, list, cachedList, loadMore } = await setUp(manyPhones(150));
    const page = loadMore();
    list.splice(140, 1);
    const refetch = store.dispatch(refetchLists(() => true));
    await page;
    expect(await refetch).toBe(true);
    expect(cachedList()?.ids).toHaveLength(149);
    expect(names(cachedList())).not.toContain("Phone 140");
  });

  it("keeps its rows after a failed refetch, which is reported", async () => {
    const { store, cachedList } = await setUp(manyPhones(3));
    on("get", "/test/1", errorResponse(503, "Please try again in a moment"));
    expect(await store.dispatch(refetchLists(() => true))).toBe(false);
    expect(cachedList()?.ids).toHaveLength(3);
  });

  it("that is not on the screen is removed from the cache and not refetched, even after a failed request", async () => {
    const { store, cachedList, close } = await setUp(manyPhones(3));
    on("get", "/test/1", errorResponse(503, "Please try again in a moment"));
    expect(await store.dispatch(refetchLists(() => true))).toBe(false);
    close();
    expect(cachedList()?.ids).toHaveLength(3);
    const before = callsTo("GET", "/test/1").length;
    expect(await store.dispatch(refetchLists(() => true))).toBe(true);
    expect(cachedList()).toBeUndefined();
    expect(callsTo("GET", "/test/1")).toHaveLength(before);
  });

  it("of another topic is not refetched", async () => {
    const { store } = await setUp(manyPhones(3));
    await store.dispatch(refetchLists(({ topic }) => topic === "admin"));
    expect(callsTo("GET", "/test/1")).toHaveLength(1);
  });
});

describe("live events in the cache", () => {
  it("change all lists of their topics in one dispatch, and nothing else", async () => {
    const { store, cachedList } = await setUp(manyPhones(2));
    const before = store.getState();
    let notifications = 0;
    store.subscribe(() => {
      notifications += 1;
    });
    const [first] = cachedList()?.ids ?? [];
    const changed = { ...cachedList()!.entities[first!]!, version: 2, resalePrice: 99 };
    store.dispatch(eventsReceived([anEvent("brand:1", "product.changed", changed)]));
    expect(notifications).toBe(1);
    expect(cachedList()?.entities[first!]?.resalePrice).toBe(99);
    expect(store.getState().api.mutations).toBe(before.api.mutations);
    expect(store.getState().session).toBe(before.session);
  });

  it("of other topics do not change the cache", async () => {
    const { store } = await setUp(manyPhones(2));
    const { queries } = store.getState().api;
    store.dispatch(eventsReceived([anEvent("brand:2", "product.changed", aProduct())]));
    store.dispatch(eventsCleared(null));
    expect(store.getState().api.queries).toBe(queries);
  });

  it("are not reverted by a page that is loaded later", async () => {
    const items = manyPhones(150);
    const { store, cachedList, loadMore } = await setUp(items);
    const booked = { ...items[10]!, version: 3, booked: true };
    store.dispatch(eventsReceived([anEvent("brand:1", "product.booked", booked)]));
    await loadMore();
    expect(cachedList()?.entities[booked._id]).toMatchObject({ version: 3, booked: true });
  });

  it("that removed a phone are applied to the next response, also after the cache was reset", async () => {
    const items = manyPhones(2);
    const { store, cachedList } = await setUp(items);
    store.dispatch(
      eventsReceived([anEvent("brand:1", "product.removed", { _id: items[0]!._id, version: 9 })]),
    );
    store.dispatch(api.util.resetApiState());
    await store.dispatch(phones.initiate({ brand: "1" }));
    expect(names(cachedList())).toEqual(["Phone 1"]);
  });
});
