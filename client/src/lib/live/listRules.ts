import type { Entity, ListKind, LiveEvent, LiveList } from "./types";

/** What an event does to an entity. */
export interface EventEffect {
  /** Ids are compared among entities of one type only. */
  entityType: string;
  isRemoval: boolean;
}

const ENTITY_TYPES: Record<string, string> = {
  "advertised.changed": "product",
  "product.added": "product",
  "product.booked": "product",
  "product.released": "product",
  "product.changed": "product",
  "product.removed": "product",
  "booking.changed": "booking",
  "waitlist.changed": "wait",
  "watch.changed": "watching",
  "search.changed": "search",
  "report.created": "report",
  "report.removed": "report",
  "trail.added": "auditEntry",
  "notification.added": "notification",
  "notification.changed": "notification",
  "settings.changed": "settings",
  "user.created": "user",
  "user.changed": "user",
  "user.removed": "user",
};

/** Of the types without an event for removals: a field that the event of a removal lacks. */
const WITHOUT_REMOVED: Record<string, string> = { wait: "productID", search: "query" };

/**
 * What an event does to lists; null for one that changes no list, and for a type that this client does not know. A place
 * on a waitlist that has ended comes without the phone, a saved search that was deleted without its query.
 */
export function effectOf({ type, data }: LiveEvent): EventEffect | null {
  const entityType = ENTITY_TYPES[type];
  if (!entityType) return null;
  const field = WITHOUT_REMOVED[entityType];
  return { entityType, isRemoval: field ? data[field] === undefined : type.endsWith(".removed") };
}

/** Which events change a kind of list. */
export interface ListRule {
  entityType: string;
  /** Whether this entity, as it is now, belongs to the list. */
  includes: (entity: Entity & RuleFields) => boolean;
  /** Whether it receives the events of a topic other than the one that its response named; without it, none. */
  acceptsTopic?: (topic: string) => boolean;
  /** Events change and remove the entities of the list, and add none. */
  isClosed?: true;
}

/** The fields that the rules read. */
interface RuleFields {
  advertise?: unknown;
  booked?: unknown;
  accountType?: unknown;
}

const all = () => true;
const isBrandTopic = (topic: string) => topic.startsWith("brand:");
const isAdvertised = (entity: RuleFields) => entity.advertise === true;

/**
 * A list receives the events of its topics and its entity type. The admin's two lists of users are separated by account
 * type; admins are in neither, and there are no events of them. A search of the whole market receives the events of
 * every subscribed brand.
 */
export const LIST_RULES: Record<ListKind, ListRule> = {
  brandProducts: { entityType: "product", includes: all },
  marketProducts: { entityType: "product", includes: all, acceptsTopic: isBrandTopic },
  advertised: { entityType: "product", includes: (p) => isAdvertised(p) && p.booked !== true },
  ownProducts: { entityType: "product", includes: all },
  bookings: { entityType: "booking", includes: all },
  waits: { entityType: "wait", includes: all },
  watching: { entityType: "watching", includes: all },
  watchedProducts: { entityType: "product", includes: all, acceptsTopic: isBrandTopic, isClosed: true },
  searches: { entityType: "search", includes: all },
  reports: { entityType: "report", includes: all },
  auditLog: { entityType: "auditEntry", includes: all },
  notifications: { entityType: "notification", includes: all },
  emailSettings: { entityType: "settings", includes: all },
  buyers: { entityType: "user", includes: (u) => u.accountType === "User" },
  sellers: { entityType: "user", includes: (u) => u.accountType === "Seller" },
};

/** Whether events of the topic are for this list. */
export function receivesTopic(list: Pick<LiveList, "kind" | "topic">, topic: string): boolean {
  return list.topic === topic || (LIST_RULES[list.kind].acceptsTopic?.(topic) ?? false);
}
