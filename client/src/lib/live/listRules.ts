import type { Entity, ListKind, LiveEvent, LiveList } from "./types";

/** What an event says about an entity, apart from its content. */
export interface Meaning {
  /** Names the entity's family, so that ids of two families never meet. */
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

/** Tells what an event means for lists; null for one that touches none, or that a newer server may send. */
export function meaningOf(event: LiveEvent): Meaning | null {
  const family = FAMILIES[event.type];
  return family ? { family, removed: event.type.endsWith(".removed") } : null;
}

/** How a kind of list is fed. */
export interface ListRule {
  family: string;
  /** Whether this entity, as it is now, has a place in the list. */
  keeps: (entity: Entity & Told) => boolean;
  /** Whether an event of what is not in the list may bring it in; left out for always. */
  admits?: (entity: Entity & Told) => boolean;
  /** The topics it takes events of, beside the one its answer named; left out for none. */
  hears?: (topic: string) => boolean;
}

/** What feeds look at. */
interface Told {
  advertise?: unknown;
  booked?: unknown;
  accountType?: unknown;
}

const all = () => true;
const isAdvertised = (entity: Told) => entity.advertise === true;

/**
 * A list takes the events of its own topics and family. An admin's two user lists
 * part them by account type; of admins nothing comes, they are in no list.
 *
 * A search of the whole market hears every brand that is followed. A visitor's hears
 * of advertised phones only, and of one that is not advertised any more it cannot be
 * told whether it is there at all.
 */
export const LIST_RULES: Record<ListKind, ListRule> = {
  brandProducts: { family: "product", keeps: all },
  marketProducts: { family: "product", keeps: all, hears: (topic) => topic.startsWith("brand:") },
  visitorProducts: {
    family: "product",
    keeps: all,
    admits: isAdvertised,
    hears: (topic) => topic === "advertised",
  },
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
