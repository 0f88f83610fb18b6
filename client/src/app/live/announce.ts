import type { LiveEvent } from "@/lib/live";
import * as t from "@/texts/live";
import { joined } from "@/texts/waitlist";

/** At most this many places are announced together. */
const MAX_PLACES = 3;

const ANNOUNCEMENTS: Record<string, (name: string) => string> = {
  "product.booked": t.booked,
  "product.released": t.released,
  "product.added": t.added,
  "seller.verified": () => t.verified,
  "report.created": t.reported,
  "user.created": t.joined,
};

/** The person's new place on the waitlist of a phone; null for any other event. An entry that has ended has no place. */
const placeOf = ({ type, data }: LiveEvent) =>
  type === "waitlist.changed" && typeof data.position === "number" ? data.position : null;

/**
 * One announcement for a batch of events: the change itself if one entity changed, otherwise the number of changed
 * entities. The person's own places on waitlists come first. Null if no event is announced.
 */
export function announcementOf(events: readonly LiveEvent[]): string | null {
  const places = events.flatMap((event) => {
    const place = placeOf(event);
    return place === null ? [] : [joined(nameOf(event.data), place)];
  });
  if (places.length > 0) return [...new Set(places)].slice(-MAX_PLACES).join(". ");
  const announced = new Map<string, LiveEvent>();
  for (const event of events) {
    if (event.type in ANNOUNCEMENTS && !endsVerification(event))
      announced.set(`${event.type.split(".")[0]}:${event.data._id}`, event);
  }
  const [only] = announced.values();
  if (!only) return null;
  if (announced.size === 1) return ANNOUNCEMENTS[only.type]?.(nameOf(only.data)) ?? null;
  const phonesOnly = [...announced.values()].every(({ type }) => type.startsWith("product."));
  return phonesOnly ? t.phonesChanged(announced.size) : t.updates(announced.size);
}

/** Whether the seller is no longer verified, because they changed their name or an admin took the badge back; that is not announced. */
const endsVerification = ({ type, data }: LiveEvent) =>
  type === "seller.verified" && data.status !== "verified";

function nameOf(data: Record<string, unknown>): string {
  const name = data.productName ?? data.name;
  return typeof name === "string" ? name : t.unnamed;
}
