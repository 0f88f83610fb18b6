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

/** Which of the market's lists this is; it decides what the list keeps (feeds.ts). */
export type ListKind =
  | "brandProducts"
  | "advertised"
  | "ownProducts"
  | "bookings"
  | "reports"
  | "buyers"
  | "sellers";

/**
 * A list as the cache holds it: a window on the server's list from its newest
 * entity on, normalised so that one event changes one entity's reference only.
 */
export interface LiveList<T extends Entity = Entity> {
  kind: ListKind;
  /** Newest first: ids descend. */
  ids: string[];
  entities: Record<string, T>;
  /** How many the whole list has, pages not yet loaded included. */
  total: number;
  /** Cursor of the next page; null when all are here. */
  nextCursor: string | null;
  /** The live topic that keeps it right; null for a list without one. */
  topic: string | null;
  /** The topic's position that the first page belongs to; subscribing from there leaves no gap. */
  position: string | null;
  /** When its first page was asked for: milliseconds on this machine's clock. */
  startedAt: number;
  /** Of a window on one entity, its id: nothing else has a place in it. */
  only?: string;
}

/** What live updates have taught us, kept apart from the lists so that a late answer cannot undo it. */
export interface Ledger {
  /**
   * The newest event per topic and entity, oldest forgotten first. Only of topics
   * that have been followed without a break since: what it says still holds.
   */
  recent: Record<string, Record<string, LiveEvent>>;
  /** Version at removal, by "entity kind:id", across topics, oldest forgotten first. */
  tombstones: Record<string, number>;
  /**
   * The version last shown of what a list answer no longer had, by "topic id": an
   * event of before that version is of something that has left. Bounded likewise.
   */
  departed: Record<string, number>;
}
