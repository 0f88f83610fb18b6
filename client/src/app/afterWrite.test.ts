import { beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "@/api/api";
import { connectionChanged } from "@/api/connectionSlice";
import { eventsReceived } from "@/api/liveActions";
import { cachedLists } from "@/api/liveReducer";
import { listShown } from "@/api/shownLists";
import type { Entity, LiveList } from "@/lib/live";
import { aBooking, anEvent, aProduct, apple, aReport, aUser, karim } from "@/testing/factories";
import { storeOf } from "@/testing/serverScreen";
import "@/features/admin/endpoints";
import "@/features/booking/endpoints";
import "@/features/catalog/phoneList";
import "@/api/bookings";
import "@/features/orders/endpoints";
import "@/features/payment/endpoints";
import "@/features/selling/endpoints";

/** The length of a list with twenty pages. */
const LIST_LENGTH = 2000;
/** After this time no event is expected any more, milliseconds. */
const EVENT_WAIT_MS = 20_000;

/** The requests since the array was last cleared, as "METHOD /path" without query strings. */
let requests: string[] = [];
let items: Entity[] = [];
let write: { status: number; code?: string } = { status: 200 };

beforeEach(() => {
  vi.useFakeTimers();
  requests = [];
  write = { status: 200 };
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    requests.push(`${request.method} ${pathname}`);
    if (request.method !== "GET")
      return Response.json({ acknowledged: true, code: write.code, message: "No" }, { status: write.status });
    const item = items.find(({ _id }) => pathname.endsWith(_id));
    if (item) return Response.json({ ...item, version: item.version + 1, changed: true });
    if (/\/(products|booking)\/\w+$/.test(pathname))
      return Response.json({ message: "Gone" }, { status: 404 });
    const from = Number(searchParams.get("cursor") ?? 0);
    const limit = Number(searchParams.get("limit"));
    const headers: Record<string, string> = {
      "X-Total-Count": `${items.length}`,
      "Live-Position": `brand:${apple._id}=e1-1`,
    };
    if (from + limit < items.length) headers.Link = `</x?cursor=${from + limit}>; rel="next"`;
    return Response.json(items.slice(from, from + limit), { headers });
  });
});

/** The endpoints by name. */
type Endpoints = Record<string, { initiate: (arg: unknown, options?: object) => never; select: never }>;
const endpoints = api.endpoints as unknown as Endpoints;

/** A store in which a screen shows this list with all pages. */
async function setUp(list: string, arg: object, all: Entity[], isLive: boolean) {
  // Newest first.
  items = all.toReversed();
  const store = storeOf(karim);
  store.dispatch(connectionChanged(isLive));
  const dispatch = store.dispatch as unknown as (action: unknown) => Promise<unknown>;
  await dispatch(endpoints[list]!.initiate(arg));
  const cachedList = () => Object.values(cachedLists(store.getState().api))[0] as LiveList;
  store.dispatch(listShown(cachedList().id ?? ""));
  for (let cursor = cachedList().nextCursor; cursor; cursor = cachedList().nextCursor)
    await dispatch(endpoints[list]!.initiate({ ...arg, cursor }, { subscribe: false }));
  expect(cachedList().ids).toHaveLength(all.length);
  requests = [];
  const run = (name: string, body: unknown) => dispatch(endpoints[name]!.initiate(body));
  return { store, cachedList, run };
}

const phones = () => Array.from({ length: LIST_LENGTH }, () => aProduct());

/** Each write, the list on the screen, and the only request that may follow it. */
const WRITES: {
  name: string;
  list: string;
  arg: object;
  all: () => Entity[];
  body: (item: Entity) => unknown;
  event: string;
  read: (id: string) => string | null;
}[] = [
  {
    name: "book",
    list: "phoneList",
    arg: { brand: apple._id, queryString: "", signedIn: true },
    all: phones,
    body: ({ _id }) => ({ id: apple._id, productID: _id }),
    event: "product.booked",
    read: (id) => `GET /products/${id}`,
  },
  ...["advertise", "deleteProduct"].map((name) => ({
    name,
    list: "ownProducts",
    arg: { email: karim.email },
    all: phones,
    body: ({ _id }: Entity) => _id,
    event: name === "advertise" ? "product.changed" : "product.removed",
    read: (id: string) => `GET /products/${id}`,
  })),
  {
    name: "changeProduct",
    list: "ownProducts",
    arg: { email: karim.email },
    all: phones,
    body: ({ _id }) => ({ id: _id, resalePrice: 1 }),
    event: "product.changed",
    read: (id) => `GET /products/${id}`,
  },
  {
    name: "cancelBooking",
    list: "ownBookings",
    arg: { email: karim.email },
    all: () => Array.from({ length: LIST_LENGTH }, () => aBooking()),
    body: ({ _id }) => _id,
    event: "booking.changed",
    read: (id) => `GET /booking/${id}`,
  },
  {
    name: "recordPayment",
    list: "ownBookings",
    arg: { email: karim.email },
    all: () => Array.from({ length: LIST_LENGTH }, () => aBooking()),
    body: ({ _id }) => ({ bookingId: _id, price: 1, transactionId: "t", email: karim.email }),
    event: "booking.changed",
    read: (id) => `GET /booking/${id}`,
  },
  {
    name: "verifySeller",
    list: "sellers",
    arg: {},
    all: () => Array.from({ length: LIST_LENGTH }, () => aUser({ accountType: "Seller" })),
    body: ({ _id, version }) => ({ id: _id, version }),
    event: "user.changed",
    read: () => null,
  },
  {
    name: "deleteReport",
    list: "reports",
    arg: {},
    all: () => Array.from({ length: LIST_LENGTH }, () => aReport()),
    body: ({ _id }) => _id,
    event: "report.removed",
    read: () => null,
  },
];

const isGet = (request: string) => request.startsWith("GET");

describe.each(WRITES)("$name", ({ name, list, arg, all, body, event, read }) => {
  it.each([200, 409])("with status %i fetches nothing if the event arrives", async (status) => {
    write = { status };
    const { store, run } = await setUp(list, arg, all(), true);
    const item = items[1000]!;
    const call = run(name, body(item));
    await vi.advanceTimersByTimeAsync(100);
    await call;
    const data = { ...item, version: 2 };
    store.dispatch(eventsReceived([anEvent(`brand:${apple._id}`, event, data)]));
    await vi.advanceTimersByTimeAsync(EVENT_WAIT_MS);
    expect(requests.filter(isGet)).toEqual([]);
  });

  it("fetches nothing while the event may arrive, and then only the entity", async () => {
    const { cachedList, run } = await setUp(list, arg, all(), true);
    const item = items[1000]!;
    await run(name, body(item));
    await vi.advanceTimersByTimeAsync(4900);
    expect(requests.filter(isGet)).toEqual([]);
    await vi.advanceTimersByTimeAsync(EVENT_WAIT_MS);
    const expected = read(item._id);
    if (!expected) return;
    expect(requests.filter(isGet)).toEqual([expected]);
    expect(cachedList().entities[item._id]).toMatchObject({ version: 2, changed: true });
  });

  it("fetches only the entity, and at once, without a live connection", async () => {
    const { cachedList, run } = await setUp(list, arg, all(), false);
    const item = items[1000]!;
    if (!read(item._id)) return;
    await run(name, body(item));
    await vi.advanceTimersByTimeAsync(0);
    expect(requests.filter(isGet)).toEqual([read(item._id)]);
    expect(cachedList().entities[item._id]).toMatchObject({ version: 2, changed: true });
  });
});

it("a deleted phone is removed from its list", async () => {
  const { cachedList, run } = await setUp("ownProducts", { email: karim.email }, phones(), false);
  const [deleted] = items.splice(1000, 1);
  await run("deleteProduct", deleted!._id);
  await vi.advanceTimersByTimeAsync(0);
  expect(requests.filter(isGet)).toEqual([`GET /products/${deleted!._id}`]);
  expect(cachedList().ids).not.toContain(deleted!._id);
});

it("the seller's list is refetched when a phone was sold meanwhile, since only the list contains the buyer", async () => {
  const { cachedList, run } = await setUp("ownProducts", { email: karim.email }, [aProduct()], false);
  const buyer = { name: "Rahim", email: "rahim@example.com", phone: "01700", location: "Dhaka" };
  const [phone] = items;
  // The response for one phone has no buyer; the list has one.
  items = [{ ...phone!, version: 2, sold: true, buyer } as Entity];
  write = { status: 409, code: "sold" };
  await run("advertise", phone!._id);
  await vi.advanceTimersByTimeAsync(0);
  expect(requests.filter(isGet)).toEqual([`GET /products/${phone!._id}`, "GET /products"]);
  expect(cachedList().entities[phone!._id]).toMatchObject({ version: 2, buyer });
});

it("a write with status 422 fetches nothing", async () => {
  write = { status: 422 };
  const arg = { brand: apple._id, queryString: "", signedIn: true };
  const { run } = await setUp("phoneList", arg, phones(), false);
  await run("book", { id: apple._id, productID: items[0]!._id });
  await vi.advanceTimersByTimeAsync(EVENT_WAIT_MS);
  expect(requests.filter(isGet)).toEqual([]);
});

it("two hundred buyers who are too late for the same phone send no request", async () => {
  write = { status: 409, code: "taken" };
  const phone = aProduct();
  const arg = { brand: apple._id, queryString: "", signedIn: true };
  const buyers = [];
  for (let i = 0; i < 200; i++) buyers.push(await setUp("phoneList", arg, [phone], true));
  requests = [];
  const calls = buyers.map(({ run }) => run("book", { id: apple._id, productID: phone._id }));
  const booked = anEvent(`brand:${apple._id}`, "product.booked", { ...phone, version: 2 });
  for (const { store } of buyers) store.dispatch(eventsReceived([booked]));
  await vi.advanceTimersByTimeAsync(EVENT_WAIT_MS);
  await Promise.all(calls);
  expect(requests.filter(isGet)).toEqual([]);
});
