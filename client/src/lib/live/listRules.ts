import { tokenize } from "@/lib/productQuery/tokenize";
import type { Entity, ListKind, LiveEvent, LiveList, OrderFilter } from "./types";

/** What an event does to an entity. */
interface EventEffect {
  /** Ids are compared among entities of one type only. */
  entityType: string;
  isRemoval: boolean;
}

/** For types that have no separate event for removals: a field that is missing in the event of a removal. */
const WITHOUT_REMOVED: Record<string, string> = { waitlist: "productID", search: "query", thread: "product" };

/**
 * What an event does to lists. The type of an entity is what the event's type has before the point; there is no list of
 * a type that this client does not know. A place on a waitlist that has ended comes without the phone, a saved search
 * that was deleted without its query.
 */
export function effectOf({ type, data }: LiveEvent): EventEffect {
  const [name = ""] = type.split(".");
  const entityType = name === "advertised" ? "product" : name;
  const field = WITHOUT_REMOVED[entityType];
  return { entityType, isRemoval: field ? data[field] === undefined : type.endsWith(".removed") };
}

/** Which events change a kind of list. */
interface ListRule {
  entityType: string;
  /** Whether this entity, as it is now, belongs to the list. */
  includes: (entity: Entity & RuleFields, filter?: OrderFilter) => boolean;
  /** Whether it receives the events of a topic other than the one that its response named; without it, none. */
  acceptsTopic?: (topic: string) => boolean;
  /** Events change and remove the entities of the list, and add none. */
  isClosed?: true;
  /** It is in another order than that of the ids: an entity that changes may come from a page that is not loaded. */
  isUnordered?: true;
  /** It is in the order of the ids, not in the reverse one. */
  isOldestFirst?: true;
}

/** The fields that the rules read. */
interface RuleFields {
  advertise?: unknown;
  booked?: unknown;
  accountType?: unknown;
  status?: string;
  state?: string;
  payout?: { state: string };
  tabs?: readonly string[];
  transactionId?: string;
  userName?: string;
  email?: string;
  seller?: { name: string; email: string };
  side?: string;
  threadID?: string;
  productID?: string;
  product?: { _id: string };
}

const all = () => true;
const allOf = (entityType: string): ListRule => ({ entityType, includes: all });
const isBrandTopic = (topic: string) => topic.startsWith("brand:");

const wordsOf = (text: string) => tokenize(text).join(" ");

/** As market/order_search.go: what identifies the order exactly, or the beginning of successive words of a name. */
function matchesText(order: Entity & RuleFields, q: string): boolean {
  const { _id, transactionId, email, userName = "", seller } = order;
  if ([_id, transactionId, email, seller?.email].includes(q)) return true;
  const wanted = wordsOf(q);
  return (
    wanted !== "" && [userName, seller?.name ?? ""].some((name) => ` ${wordsOf(name)}`.includes(` ${wanted}`))
  );
}

const matchesFilter = (order: Entity & RuleFields, filter?: OrderFilter) =>
  !filter ||
  ([
    [filter.status, order.status],
    [filter.payout, order.payout?.state],
  ].every(([wanted, value]) => !wanted || wanted === value) &&
    (!filter.tab || (order.tabs?.includes(filter.tab) ?? false)) &&
    (!filter.q || matchesText(order, filter.q)));

/**
 * A list receives the events of its topics and its entity type. The admin's two lists of users are separated by account
 * type; admins are in neither, and there are no events of them. A seller also receives the bookings of the phones that they sell,
 * which are not in the list of what they buy. A search of the whole market receives the events of
 * every subscribed brand.
 */
export const LIST_RULES: Record<ListKind, ListRule> = {
  brandProducts: allOf("product"),
  marketProducts: { entityType: "product", includes: all, acceptsTopic: isBrandTopic },
  advertised: { entityType: "product", includes: (p) => p.advertise === true && p.booked !== true },
  ownProducts: allOf("product"),
  bookings: { entityType: "booking", includes: (b) => b.side !== "seller" },
  sales: { entityType: "booking", includes: (b) => b.side === "seller" },
  booking: allOf("booking"),
  waits: allOf("waitlist"),
  watching: allOf("watch"),
  watchedProducts: { entityType: "product", includes: all, acceptsTopic: isBrandTopic, isClosed: true },
  searches: allOf("search"),
  reports: allOf("report"),
  cases: {
    entityType: "case",
    includes: ({ state }, filter) => !filter?.state || state === filter.state,
    isOldestFirst: true,
  },
  case: allOf("case"),
  decisions: allOf("decision"),
  orders: { entityType: "order", includes: matchesFilter },
  earnings: allOf("earnings"),
  threads: {
    entityType: "thread",
    includes: ({ product }, filter) => !filter?.productID || product?._id === filter.productID,
    isUnordered: true,
  },
  thread: allOf("thread"),
  messages: {
    entityType: "message",
    includes: ({ threadID }, filter) => !filter?.threadID || threadID === filter.threadID,
  },
  offers: {
    entityType: "offer",
    includes: ({ productID }, filter) => !filter?.productID || productID === filter.productID,
  },
  auditLog: allOf("audit"),
  notifications: allOf("notification"),
  emailSettings: allOf("settings"),
  buyers: { entityType: "user", includes: (u) => u.accountType === "User" },
  sellers: { entityType: "user", includes: (u) => u.accountType === "Seller" },
};

/** Whether events of the topic are for this list. */
export function receivesTopic(list: Pick<LiveList, "kind" | "topic">, topic: string): boolean {
  return list.topic === topic || (LIST_RULES[list.kind].acceptsTopic?.(topic) ?? false);
}
