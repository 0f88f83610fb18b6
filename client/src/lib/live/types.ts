import type { Query, SortKey } from "@/lib/productQuery/query";

/** Anything the market lists: an id that sorts by the time it was made, and a version that grows with each change. */
export interface Entity {
  _id: string;
  version: number;
}

/** One change of one entity as one topic's readers may see it (contract section 5). */
export interface LiveEvent {
  topic: string;
  /** Opaque: where the topic's history stands after this event. */
  position: string;
  type: string;
  /** RFC 3339, UTC. */
  at: string;
  /** The whole entity; of a removed one only `_id` and `version`. */
  data: Entity & Record<string, unknown>;
}

/** Which of the market's lists this is; it decides what the list keeps (listRules.ts). */
export type ListKind =
  | "brandProducts"
  | "marketProducts"
  | "visitorProducts"
  | "advertised"
  | "ownProducts"
  | "bookings"
  | "reports"
  | "trail"
  | "buyers"
  | "sellers";

/**
 * A list as the cache holds it: a window on the server's list from its newest
 * entity on, normalised so that one event changes one entity's reference only.
 */
export interface LiveList<T extends Entity = Entity> {
  kind: ListKind;
  /** Its kind and argument, which identify it among the cached lists; the api sets it. */
  id?: string;
  /**
   * Newest first: ids descend. Of a list with an order, the server's; what changes in it keeps its
   * place, even where it is no longer wanted, until the list is asked for again.
   */
  ids: string[];
  entities: Record<string, T>;
  /** How many the whole list has, pages not yet loaded included. */
  total: number;
  /** Cursor of the next page; null when all are here. */
  nextCursor: string | null;
  /** The live topic that its answer named; null where none did: it may hear several all the same (listRules.ts). */
  topic: string | null;
  /**
   * The topic's position that the first page belongs to; subscribing from there leaves no gap. Null for
   * none: such a list is right only if it was asked for while its topics were followed.
   */
  position: string | null;
  /** When its first page was asked for: milliseconds on this machine's clock. */
  startedAt: number;
  /** Of a window on one entity, its id: nothing else has a place in it. */
  only?: string;
  /** What was asked for, of a list that is not simply everything, newest first. */
  order?: Order;
}

/** Which of the phones a list has, and in which order. */
export interface Order {
  query: Query;
  /** Where the last page that was loaded ends; null for an empty one. */
  edge: SortKey | null;
}

/** What live updates have taught us, kept apart from the lists so that a late answer cannot undo it. */
export interface EventLog {
  /**
   * The newest event per topic and entity, oldest forgotten first. Only of topics
   * that have been followed without a break since: what it says still holds.
   */
  recent: Record<string, Record<string, LiveEvent>>;
  /** Version at removal, by "entity kind:id", across topics, oldest forgotten first. */
  tombstones: Record<string, number>;
  /**
   * The version last shown of what a list answer no longer had, by "entity kind:id":
   * an event of before that version is of something that has left. Bounded likewise.
   */
  departed: Record<string, number>;
}
