import type { LiveEvent } from "@/lib/live";

const SAYINGS: Record<string, (name: string) => string> = {
  "product.booked": (name) => `${name} was just booked`,
  "product.released": (name) => `${name} is available again`,
  "product.added": (name) => `${name} was just listed`,
  "seller.verified": () => "You are a verified seller now",
  "report.created": (name) => `${name} was just reported`,
  "user.created": (name) => `${name} has just joined`,
};

/**
 * One sentence for a batch of events: the change itself when one entity
 * changed, else how many did. Null when nothing in it is worth a word.
 */
export function sayingOf(events: readonly LiveEvent[]): string | null {
  const worth = new Map<string, LiveEvent>();
  for (const event of events) {
    if (event.type in SAYINGS) worth.set(`${event.type.split(".")[0]}:${event.data._id}`, event);
  }
  const [only] = worth.values();
  if (!only) return null;
  if (worth.size === 1) return SAYINGS[only.type]?.(nameOf(only.data)) ?? null;
  const phonesOnly = [...worth.values()].every(({ type }) => type.startsWith("product."));
  return `${worth.size} ${phonesOnly ? "phones" : "entries"} changed`;
}

function nameOf(data: Record<string, unknown>): string {
  const name = data.productName ?? data.name;
  return typeof name === "string" ? name : "An entry";
}
