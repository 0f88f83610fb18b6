import type { LiveEvent } from "@/lib/live";
import * as t from "@/texts/live";

const SAYINGS: Record<string, (name: string) => string> = {
  "product.booked": t.booked,
  "product.released": t.released,
  "product.added": t.added,
  "seller.verified": () => t.verified,
  "report.created": t.reported,
  "user.created": t.joined,
};

/**
 * One sentence for a batch of events: the change itself when one entity
 * changed, else how many did. Null when nothing in it is worth a word.
 */
export function sayingOf(events: readonly LiveEvent[]): string | null {
  const worth = new Map<string, LiveEvent>();
  for (const event of events) {
    if (event.type in SAYINGS && !endsVerification(event))
      worth.set(`${event.type.split(".")[0]}:${event.data._id}`, event);
  }
  const [only] = worth.values();
  if (!only) return null;
  if (worth.size === 1) return SAYINGS[only.type]?.(nameOf(only.data)) ?? null;
  const phonesOnly = [...worth.values()].every(({ type }) => type.startsWith("product."));
  return phonesOnly ? t.phonesChanged(worth.size) : t.entriesChanged(worth.size);
}

/** A seller who changed their name is not verified any more: no news to cheer. */
const endsVerification = ({ type, data }: LiveEvent) =>
  type === "seller.verified" && data.status !== "verified";

function nameOf(data: Record<string, unknown>): string {
  const name = data.productName ?? data.name;
  return typeof name === "string" ? name : t.anEntry;
}
