import { expect, test } from "vitest";
import { anEvent, aProduct, apple } from "@/testing/factories";
import { on, refusal, startServer } from "@/testing/server";
import { storeOf } from "@/testing/serverScreen";
import { api } from "./api";
import { liveApplied } from "./liveActions";
import { refetchLists } from "./liveList";
import { liveOne } from "./liveOne";
import { listShown } from "./shownLists";
import type { Product } from "./types";

startServer();

const topic = `brand:${apple._id}`;
const { onePhone } = api.injectEndpoints({
  endpoints: (build) => ({
    onePhone: build.query(liveOne<Product, { id: string }>("brandProducts", ({ id }) => `/products/${id}`)),
  }),
}).endpoints;

async function load(product: Product) {
  on("get", `/products/${product._id}`, {
    body: { ...product },
    headers: { "Live-Position": `${topic}=e1-1` },
  });
  const store = storeOf(null);
  await store.dispatch(onePhone.initiate({ id: product._id }));
  const now = () => onePhone.select({ id: product._id })(store.getState()).data;
  store.dispatch(listShown(now()?.id ?? ""));
  return { store, now };
}

test("takes the events of its own entity only, also after that was removed", async () => {
  const product = aProduct();
  const { store, now } = await load(product);
  expect(now()).toMatchObject({ topic, position: "e1-1", ids: [product._id] });
  const tell = (type: string, data: Partial<Product> & { _id: string; version: number }) =>
    store.dispatch(liveApplied([anEvent(topic, type, data)]));
  tell("product.added", aProduct());
  expect(now()?.ids).toEqual([product._id]);
  tell("product.booked", { ...product, booked: true, version: 2 });
  expect(now()?.entities[product._id]?.booked).toBe(true);
  tell("product.removed", { _id: product._id, version: 3 });
  tell("product.added", aProduct());
  expect(now()?.ids).toEqual([]);
});

test("becomes empty when a refetch finds that the entity was removed, and the refetch has not failed", async () => {
  const product = aProduct();
  const { store, now } = await load(product);
  on("get", `/products/${product._id}`, refusal(404, "No such phone"));
  expect(await store.dispatch(refetchLists((list) => list.topic === topic))).toBe(true);
  expect(now()?.ids).toEqual([]);
});

test("one that never existed is an error", async () => {
  on("get", "/products/none", refusal(404, "No such phone"));
  const store = storeOf(null);
  const answer = await store.dispatch(onePhone.initiate({ id: "none" }));
  expect(answer.error).toMatchObject({ status: 404 });
});
