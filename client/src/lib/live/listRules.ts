import type { Entity, ListKind, LiveEvent, LiveList } from "./types";

/** What an event does to an entity. */
export interface Meaning {
  /** The kind of entity; ids are compared within one family only. */
  family: string;
  removed: boolean;
}

const FAMILIES: Record<string, string> = {
  "advertised.changed": "product",
  "product.added": "product",
  "product.booked": "product",
  "product.released": "product",
  "product.changed": "product",
  "product.removed": "product",
  "booking.changed": "booking",
  "report.created": "report",
  "report.removed": "report",
  "trail.added": "auditEntry",
  "user.created": "user",
  "user.changed": "user",
  "user.removed": "user",
};

/** What an event means for lists; null for one that changes no list, and for an unknown type of a newer server. */
export function meaningOf(event: LiveEvent): Meaning | null {
  const family = FAMILIES[event.type];
  return family ? { family, removed: event.type.endsWith(".removed") } : null;
}

/** Which events change a kind of list. */
export interface ListRule {
  family: string;
  /** Whether this entity, as it is now, belongs to the list. */
  keeps: (entity: Entity & RuleFields) => boolean;
  /** Whether it takes the events of a topic other than the one that its response named; without it, none. */
  hears?: (topic: string) => boolean;
}

/** The fields that the rules read. */
interface RuleFields {
  advertise?: unknown;
  booked?: unknown;
  accountType?: unknown;
}

const all = () => true;
const isAdvertised = (entity: RuleFields) => entity.advertise === true;

/**
 * A list takes the events of its own topics and family. An admin's two user lists are separated by account type;
 * admins are in neither, and there are no events of them.
 *
 * A search of the whole market takes the events of every subscribed brand.
 */
export const LIST_RULES: Record<ListKind, ListRule> = {
  brandProducts: { family: "product", keeps: all },
  marketProducts: { family: "product", keeps: all, hears: (topic) => topic.startsWith("brand:") },
  advertised: { family: "product", keeps: (p) => isAdvertised(p) && p.booked !== true },
  ownProducts: { family: "product", keeps: all },
  bookings: { family: "booking", keeps: all },
  reports: { family: "report", keeps: all },
  trail: { family: "auditEntry", keeps: all },
  buyers: { family: "user", keeps: (u) => u.accountType === "User" },
  sellers: { family: "user", keeps: (u) => u.accountType === "Seller" },
};

/** Whether events of the topic are for this list. */
export function hears(list: Pick<LiveList, "kind" | "topic">, topic: string): boolean {
  return list.topic === topic || (LIST_RULES[list.kind].hears?.(topic) ?? false);
}
