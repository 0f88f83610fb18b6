import { api } from "@/api/api";
import { ownBookings } from "@/api/bookings";
import type { PageArg } from "@/api/liveList";
import { phone } from "@/api/phone";
import type { Thread } from "@/api/types";
import { waits } from "@/api/waitlist";
import { buyers, reports, sellers } from "@/features/admin/endpoints";
import { advertised } from "@/features/catalog/endpoints";
import { type PhonesArg, phoneList, phonesPath } from "@/features/catalog/phoneList";
import { messages, offers, thread, threads } from "@/features/messages/endpoints";
import { notifications } from "@/features/notifications/endpoints";
import { ownProducts } from "@/features/selling/endpoints";
import { searches, watches } from "@/features/watching/endpoints";
import type { Entity, LiveList } from "@/lib/live";

/** An endpoint of a list, as far as a screen needs it. */
export interface ListEndpoint {
  initiate(arg: unknown, options?: { forceRefetch?: boolean; subscribe?: boolean }): unknown;
  select(arg: unknown): (state: unknown) => { data?: LiveList; status: string; error?: unknown };
}

/**
 * How a list is compared with the server's. ordered: same entities, same order, as far as it is loaded · sorted: the
 * same entities, which the screen sorts, at least those of the server's first page · phones: same entities in any
 * order, as far as it is loaded, if they still match · entity: one entity.
 */
export type Rule = "ordered" | "sorted" | "phones" | "entity";

/** One list of a screen. */
export interface View {
  name: string;
  endpoint: ListEndpoint;
  arg: PageArg & Record<string, unknown>;
  /** The path of the same list at the server. */
  path: string;
  rule: Rule;
  /** Topics of a list whose response names none, or has no position. */
  topics: readonly string[];
  /** Whether the list is that of WatchedPhones: it shows what the user watches, and follows the brands of these phones. */
  isWatched?: true;
}

const toListEndpoint = (endpoint: unknown) => endpoint as ListEndpoint;

const view = (
  name: string,
  endpoint: unknown,
  arg: object,
  path: string,
  options: Partial<View> = {},
): View => ({
  name,
  endpoint: toListEndpoint(endpoint),
  arg: arg as View["arg"],
  path,
  rule: "ordered",
  topics: [],
  ...options,
});

/** Home: the advertised products. */
export const home = () => view("advertised", advertised, {}, "/products/advertised");

/** A brand's page; `queryString` as the address has it. */
export function brandPage(brand: string, queryString: string): View {
  const arg: PhonesArg = { brand, queryString, signedIn: true };
  const name = queryString ? "filtered brand" : "brand";
  return view(name, phoneList, arg, phonesPath(arg), { rule: "phones" });
}

/** The search of a signed-in user: it subscribes to every brand. */
export function search(queryString: string, brands: readonly string[]): View {
  const arg: PhonesArg = { brand: null, queryString, signedIn: true };
  const topics = brands.map((id) => `brand:${id}`);
  return view("search", phoneList, arg, phonesPath(arg), { rule: "phones", topics });
}

/** A phone's page. */
export function phonePage(id: string, signedIn: boolean): View {
  return view("phone", phone, { id, signedIn }, `/products/${id}`, { rule: "entity" });
}

/** A buyer's orders. */
export const orders = (email: string) =>
  view("orders", ownBookings, { email }, `/bookings?email=${encodeURIComponent(email)}`);

/** The phones that a buyer waits for. */
export const ownWaits = (email: string) =>
  view("waits", waits, { email }, `/waitlist?email=${encodeURIComponent(email)}`);

/** My Orders: a buyer's orders, and the phones that the buyer waits for. */
export const myOrders = (email: string) => [orders(email), ownWaits(email)];

/** The notifications of a user. */
export const ownNotifications = () => view("notifications", notifications, {}, "/notifications");

/** The ids of the phones that a user watches. */
export const watchedIds = () =>
  view("watching", (api.endpoints as Record<string, unknown>).watching, {}, "/watching", { rule: "entity" });

/** Watching: the phones that a user watches, and the saved searches. The watch buttons are on every screen. */
export const watchingScreen = () => [
  view("watched phones", watches, {}, "/watches", { isWatched: true }),
  view("searches", searches, {}, "/searches"),
  watchedIds(),
];

/** The brands of the phones of a list, as topics. */
export const brandTopics = (list: LiveList | undefined): string[] => [
  ...new Set(
    Object.values(list?.entities ?? {}).map((phone) => `brand:${(phone as Entity & { id: string }).id}`),
  ),
];

/** The order of the payment screen. */
export const payment = (id: string) =>
  view("payment", (api.endpoints as Record<string, unknown>).bookingById, { id }, `/booking/${id}`, {
    rule: "entity",
  });

/** A seller's phones. */
export const ownPhones = (email: string) =>
  view("own phones", ownProducts, { email }, `/products?email=${encodeURIComponent(email)}`);

/** A person's conversations, in small pages, so that a list is often loaded in part. */
const allThreads = () => view("threads", threads, { limit: 20 }, "/threads", { rule: "sorted" });

/** A person's conversations, and their offers. */
export const conversations = (email: string) => [
  allThreads(),
  view("offers", offers, { email }, `/offers?email=${encodeURIComponent(email)}`),
];

/** A conversation: the list of all is beside it, and its offers are those for its phone. */
export function conversation({ _id, product }: Thread, email: string): View[] {
  const path = `/threads/${_id}`;
  const filter = { productID: product._id };
  return [
    allThreads(),
    view("thread", thread, { id: _id }, path, { rule: "entity" }),
    view("messages", messages, { filter: { threadID: _id } }, `${path}/messages`),
    view("offers", offers, { email, filter }, `/offers?${new URLSearchParams({ email, ...filter })}`),
  ];
}

/** An admin's three lists. */
export const adminLists = () => [
  view("buyers", buyers, {}, "/users/buyers"),
  view("sellers", sellers, {}, "/users/sellers"),
  view("reports", reports, {}, "/reportedItems"),
];
