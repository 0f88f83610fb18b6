import { expect, test } from "vitest";
import { anEvent, aProduct, apple } from "@/testing/factories";
import { errorResponse, on, startServer } from "@/testing/server";
import { storeOf } from "@/testing/serverScreen";
import { api } from "./api";
import { eventsReceived } from "./liveActions";
import { liveEntity } from "./liveEntity";
import { refetchLists } from "./refetchLists";
import { listShown } from "./shownLists";
import type { Product } from "./types";

startServer();

const topic = `brand:${apple._id}`;
const { onePhone } = api.injectEndpoints({
  endpoints: (build) => ({
    onePhone: build.query(
      liveEntity<Product, { id: string }>("brandProducts", ({ id }) => `/products/${id}`),
    ),
  }),
}).endpoints;

async function load(product: Product) {
  on("get", `/products/${product._id}`, {
    body: { ...product },
    headers: { "Live-Position": `${topic}=e1-1` },
  });
  const store = storeOf(null);
  await store.dispatch(onePhone.initiate({ id: product._id }));
  const cachedList = () => onePhone.select({ id: product._id })(store.getState()).data;
  store.dispatch(listShown(cachedList()?.id ?? ""));
  return { store, cachedList };
}

test("a live entity receives events of its own entity only, also after its removal", async () => {
  const product = aProduct();
  const { store, cachedList } = await load(product);
  expect(cachedList()).toMatchObject({ topic, position: "e1-1", ids: [product._id] });
  const receive = (type: string, data: Partial<Product> & { _id: string; version: number }) =>
    store.dispatch(eventsReceived([anEvent(topic, type, data)]));
  receive("product.added", aProduct());
  expect(cachedList()?.ids).toEqual([product._id]);
  receive("product.booked", { ...product, booked: true, version: 2 });
  expect(cachedList()?.entities[product._id]?.booked).toBe(true);
  receive("product.removed", { _id: product._id, version: 3 });
  receive("product.added", aProduct());
  expect(cachedList()?.ids).toEqual([]);
});

test("a live entity becomes empty when a refetch returns 404, and the refetch counts as successful", async () => {
  const product = aProduct();
  const { store, cachedList } = await load(product);
  on("get", `/products/${product._id}`, errorResponse(404, "No such phone"));
  expect(await store.dispatch(refetchLists((list) => list.topic === topic))).toBe(true);
  expect(cachedList()?.ids).toEqual([]);
});

test("a live entity whose first request returns 404 is an error", async () => {
  on("get", "/products/none", errorResponse(404, "No such phone"));
  const store = storeOf(null);
  const result = await store.dispatch(onePhone.initiate({ id: "none" }));
  expect(result.error).toMatchObject({ status: 404 });
});
