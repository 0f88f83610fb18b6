import type { Query, SortKey } from "@/lib/productQuery/query";

/** An entity of a list: its id sorts by the time of its creation, and its version grows with each change. */
export interface Entity {
  _id: string;
  version: number;
}

/** One change of one entity, as readers of the topic may see it. */
export interface LiveEvent {
  topic: string;
  /** The topic's position after this event; opaque. */
  position: string;
  type: string;
  /** RFC 3339, UTC. */
  at: string;
  /** The whole entity; only `_id` and `version` if it was removed. */
  data: Entity & Record<string, unknown>;
}

/** The kinds of lists; the kind decides which entities belong to a list (listRules.ts). */
export type ListKind =
  | "brandProducts"
  | "marketProducts"
  | "advertised"
  | "ownProducts"
  | "bookings"
  | "sales"
  | "booking"
  | "waits"
  | "watching"
  | "watchedProducts"
  | "searches"
  | "reports"
  | "cases"
  | "case"
  | "decisions"
  | "orders"
  | "earnings"
  | "threads"
  | "thread"
  | "messages"
  | "offers"
  | "auditLog"
  | "notifications"
  | "emailSettings"
  | "buyers"
  | "sellers";

/**
 * A list in the cache: the loaded pages of the server's list, normalised so that one event changes the reference of
 * one entity only.
 */
export interface LiveList<T extends Entity = Entity> {
  kind: ListKind;
  /** Its kind and argument, which identify it among the cached lists; the api sets it. */
  id?: string;
  /**
   * Newest first, so descending; of cases, oldest first. A list with an order has the server's order: until the list is refetched, a changed
   * entity is not moved, and one that no longer matches is not removed.
   */
  ids: string[];
  entities: Record<string, T>;
  /** The number of entities of the whole list, including pages that are not loaded. */
  total: number;
  /** Cursor of the next page; null after the last one. */
  nextCursor: string | null;
  /** The live topic that the response named; null for none. Events of other topics may change it too (listRules.ts). */
  topic: string | null;
  /**
   * The topic's position of the first page; a subscription from there misses no event. Null for none: such a list is
   * up to date only if it was requested while its topics were subscribed.
   */
  position: string | null;
  /** When its first page was requested: milliseconds since 1970 on this machine's clock. */
  startedAt: number;
  /** The entity's id, if the list is for one entity only. */
  onlyId?: string;
  /** The filter of a list of orders, cases, threads, messages or offers; left out for all. */
  filter?: OrderFilter | undefined;
  /** The filters and the order; left out for all entities, newest first. */
  order?: ListOrder | undefined;
  /** The words of the search that the server let go, because no phone had all of them. */
  leftOut?: readonly string[];
}

/** Which orders, cases, messages, threads or offers a list has; an empty field selects all. */
export interface OrderFilter {
  status?: string;
  /** The admin's list: problem, payout, dispute or late. */
  tab?: string;
  /** An id, a transaction or an email address, or the beginning of words of a name. */
  q?: string;
  /** Of the seller's money. */
  payout?: string;
  /** Of cases. */
  state?: string;
  /** Of messages: the _id of their thread. */
  threadID?: string;
  /** Of threads and offers: the _id of their phone. */
  productID?: string;
}

/** The filters of a list of phones, and its order. */
interface ListOrder {
  query: Query;
  /** The sort key of the last entity of the last loaded page; null for an empty page. */
  lastKey: SortKey | null;
}

/** The latest live events, kept beside the lists: they are applied to a response that was sent before them. */
export interface EventLog {
  /**
   * The newest event per topic and entity; the oldest are deleted first. Only of topics that have been subscribed
   * without a gap since then, so that the event is not outdated.
   */
  recentEvents: Record<string, Record<string, LiveEvent>>;
  /** The version at removal, by "type:id", from all topics; the oldest are deleted first. */
  removedVersions: Record<string, number>;
  /** Those of them that have come back since, as a hidden phone does, in a later version. */
  returned: Record<string, true>;
  /**
   * The last version of each entity that a refetched list no longer had, by "type:id": an earlier event must not
   * add it again. The oldest are deleted first.
   */
  droppedVersions: Record<string, number>;
}
