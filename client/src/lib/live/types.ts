import type { Query, SortKey } from "@/lib/productQuery/query";

/** Anything the market lists: an id that sorts by the time it was made, and a version that grows with each change. */
export interface Entity {
  _id: string;
  version: number;
}

/** One change of one entity as one topic's readers may see it (contract section 5). */
export interface LiveEvent {
  topic: string;
  /** The topic's position after this event; opaque. */
  position: string;
  type: string;
  /** RFC 3339, UTC. */
  at: string;
  /** The whole entity; of a removed one only `_id` and `version`. */
  data: Entity & Record<string, unknown>;
}

/** Which of the market's lists this is; it decides which entities belong to it (listRules.ts). */
export type ListKind =
  | "brandProducts"
  | "marketProducts"
  | "advertised"
  | "ownProducts"
  | "bookings"
  | "reports"
  | "trail"
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
   * Newest first, so descending. A list with an order has the server's order: an entity that changes keeps its
   * place, even if it no longer matches, until the list is refetched.
   */
  ids: string[];
  entities: Record<string, T>;
  /** The length of the whole list, with the pages that are not loaded. */
  total: number;
  /** Cursor of the next page; null after the last one. */
  nextCursor: string | null;
  /** The live topic that the response named; null for none. Other topics may feed the list too (listRules.ts). */
  topic: string | null;
  /**
   * The topic's position of the first page; subscribing from there misses no event. Null for none: such a list is
   * right only if it was requested while its topics were in force.
   */
  position: string | null;
  /** When its first page was requested: milliseconds on this machine's clock. */
  startedAt: number;
  /** The id of the one entity that the list is for; left out for other lists. */
  only?: string;
  /** The filters and the order; left out for everything, newest first. */
  order?: Order;
}

/** Which phones a list has, and in which order. */
export interface Order {
  query: Query;
  /** The sort key of the last loaded entity; null for an empty page. */
  edge: SortKey | null;
}

/** What the live events said, apart from the lists, so that a late response cannot undo it. */
export interface EventLog {
  /**
   * The newest event per topic and entity; the oldest are dropped first. Only of topics that have been in force
   * without a gap since then, so that the event is not outdated.
   */
  recent: Record<string, Record<string, LiveEvent>>;
  /** Version at removal, by "family:id", across topics; the oldest are dropped first. */
  tombstones: Record<string, number>;
  /**
   * The last version of each entity that a refetched list no longer had, by "family:id": an earlier event must not
   * add it again. The oldest are dropped first.
   */
  departed: Record<string, number>;
}
