import { describe, expect, it } from "vitest";
import type { LiveList } from "@/lib/live";
import { anEvent, aProduct } from "@/testing/factories";
import { callsTo, on, onList, refusal, startServer } from "@/testing/server";
import { storeOf } from "@/testing/serverScreen";
import { api } from "./api";
import { liveApplied, liveForgotten } from "./liveActions";
import { liveList, type PageArg, refetchLists } from "./liveList";
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

const many = (count: number) => Array.from({ length: count }, (_, n) => aProduct({ name: `Phone ${n}` }));
const names = (list: LiveList<Product> | undefined) => list?.ids.map((id) => list.entities[id]?.name);

/** A store with the list of this brand on the screen. */
async function loaded(items: Product[], brand = "1") {
  const store = storeOf(null);
  const list = onList(`/test/${brand}`, `brand:${brand}`, items);
  const query = store.dispatch(phones.initiate({ brand }));
  await query;
  const held = () => phones.select({ brand })(store.getState()).data;
  const shownAs = held()?.id ?? "";
  store.dispatch(listShown(shownAs));
  const more = () =>
    store.dispatch(
      phones.initiate({ brand, cursor: held()?.nextCursor ?? "" }, { forceRefetch: true, subscribe: false }),
    );
  const close = () => {
    query.unsubscribe();
    store.dispatch(listHidden(shownAs));
  };
  return { store, list, held, more, close };
}

describe("a list", () => {
  it("is normalised by id, newest first, with the data of its headers", async () => {
    const { held } = await loaded(many(3));
    expect(names(held())).toEqual(["Phone 2", "Phone 1", "Phone 0"]);
    expect(held()).toMatchObject({
      kind: "brandProducts",
      total: 3,
      nextCursor: null,
      topic: "brand:1",
      position: "e1-1",
    });
  });

  it("grows by a page; its position is that of the first page", async () => {
    const { held, more } = await loaded(many(150));
    expect(held()?.ids).toHaveLength(100);
    await more();
    expect(held()?.ids).toHaveLength(150);
    expect(held()).toMatchObject({ nextCursor: null, position: "e1-1", total: 150 });
    expect(callsTo("GET", "/test/1")[1]?.url).toMatch(/limit=100&cursor=/);
  });

  it("keeps its pages when the next one fails", async () => {
    const { held, more } = await loaded(many(150));
    on("get", "/test/1", refusal(503, "Please try again in a moment"));
    const { error } = await more();
    expect(error).toMatchObject({ message: "Please try again in a moment" });
    expect(held()?.ids).toHaveLength(100);
  });

  it("is refetched with as many rows, without removed ones", async () => {
    const { store, list, held, more } = await loaded(many(250));
    await more();
    expect(held()?.ids).toHaveLength(200);
    list.splice(100, 10);
    expect(await store.dispatch(refetchLists(({ topic }) => topic === "brand:1"))).toBe(true);
    expect(held()?.ids).toHaveLength(200);
    expect(names(held())).not.toContain("Phone 105");
    expect(held()?.position).toBe("e1-3");
  });

  it("is refetched even while a further page is under way", async () => {
    const { store, list, held, more } = await loaded(many(150));
    const page = more();
    list.splice(140, 1);
    const anew = store.dispatch(refetchLists(() => true));
    await page;
    expect(await anew).toBe(true);
    expect(held()?.ids).toHaveLength(149);
    expect(names(held())).not.toContain("Phone 140");
  });

  it("reports a failed refetch, and keeps its rows", async () => {
    const { store, held } = await loaded(many(3));
    on("get", "/test/1", refusal(503, "Please try again in a moment"));
    expect(await store.dispatch(refetchLists(() => true))).toBe(false);
    expect(held()?.ids).toHaveLength(3);
  });

  it("that is not on the screen is removed from the cache instead, even when its last fetch failed", async () => {
    const { store, held, close } = await loaded(many(3));
    on("get", "/test/1", refusal(503, "Please try again in a moment"));
    expect(await store.dispatch(refetchLists(() => true))).toBe(false);
    close();
    expect(held()?.ids).toHaveLength(3);
    const before = callsTo("GET", "/test/1").length;
    expect(await store.dispatch(refetchLists(() => true))).toBe(true);
    expect(held()).toBeUndefined();
    expect(callsTo("GET", "/test/1")).toHaveLength(before);
  });

  it("of another topic is not refetched", async () => {
    const { store } = await loaded(many(3));
    await store.dispatch(refetchLists(({ topic }) => topic === "admin"));
    expect(callsTo("GET", "/test/1")).toHaveLength(1);
  });
});

describe("live events in the cache", () => {
  it("change all lists they concern in one step, and nothing else", async () => {
    const { store, held } = await loaded(many(2));
    const before = store.getState();
    let steps = 0;
    store.subscribe(() => {
      steps += 1;
    });
    const [first] = held()?.ids ?? [];
    const changed = { ...held()!.entities[first!]!, version: 2, resalePrice: 99 };
    store.dispatch(liveApplied([anEvent("brand:1", "product.changed", changed)]));
    expect(steps).toBe(1);
    expect(held()?.entities[first!]?.resalePrice).toBe(99);
    expect(store.getState().api.mutations).toBe(before.api.mutations);
    expect(store.getState().session).toBe(before.session);
  });

  it("that concern no cached list do not change the cache", async () => {
    const { store } = await loaded(many(2));
    const { queries } = store.getState().api;
    store.dispatch(liveApplied([anEvent("brand:2", "product.changed", aProduct())]));
    store.dispatch(liveForgotten(null));
    expect(store.getState().api.queries).toBe(queries);
  });

  it("are not undone by a later page", async () => {
    const items = many(150);
    const { store, held, more } = await loaded(items);
    const late = { ...items[10]!, version: 3, booked: true };
    store.dispatch(liveApplied([anEvent("brand:1", "product.booked", late)]));
    await more();
    expect(held()?.entities[late._id]).toMatchObject({ version: 3, booked: true });
  });

  it("that removed a phone apply to the next response, also after signing out and in", async () => {
    const items = many(2);
    const { store, held } = await loaded(items);
    store.dispatch(liveApplied([anEvent("brand:1", "product.removed", { _id: items[0]!._id, version: 9 })]));
    store.dispatch(api.util.resetApiState());
    await store.dispatch(phones.initiate({ brand: "1" }));
    expect(names(held())).toEqual(["Phone 1"]);
  });
});
