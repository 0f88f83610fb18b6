import type { Entity, ListKind, LiveEvent } from "./types";

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
export interface Feed {
  family: string;
  /** Whether this entity, as it is now, has a place in the list. */
  keeps: (entity: Entity & { advertise?: unknown; booked?: unknown; accountType?: unknown }) => boolean;
}

const all = () => true;

/**
 * A list takes the events of its own topic and family. An admin's two user lists
 * part them by account type; of admins nothing comes, they are in no list.
 */
export const FEEDS: Record<ListKind, Feed> = {
  brandProducts: { family: "product", keeps: all },
  advertised: { family: "product", keeps: (p) => p.advertise === true && p.booked !== true },
  ownProducts: { family: "product", keeps: all },
  bookings: { family: "booking", keeps: all },
  reports: { family: "report", keeps: all },
  buyers: { family: "user", keeps: (u) => u.accountType === "User" },
  sellers: { family: "user", keeps: (u) => u.accountType === "Seller" },
};
