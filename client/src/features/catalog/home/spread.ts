import type { Product } from "@/api/types";
import { limitPerSeller } from "./featured";

/** The number of advertised items to which the limit of one seller applies. */
const FIRST_ITEMS = 12;
/** The maximum number of these items of one seller. */
const FIRST_ITEMS_A_SELLER = 2;

/**
 * The _ids of the advertised items as Home first shows them: newest first, but one seller's at most two of the first
 * twelve, as long as there are others.
 */
export function spread(newestFirst: readonly Product[]): string[] {
  const first = new Set(limitPerSeller(newestFirst, FIRST_ITEMS_A_SELLER, FIRST_ITEMS));
  return [...first, ...newestFirst.filter((phone) => !first.has(phone))].map(({ _id }) => _id);
}

/** The current _ids of a list in the order in which it was first shown: newer ones before, those of further pages after. */
export function inOrderOf(shown: readonly string[], ids: readonly string[]): string[] {
  const known = new Set(shown);
  const present = new Set(ids);
  const begin = ids.findIndex((id) => known.has(id));
  const newer = ids.slice(0, Math.max(begin, 0));
  const older = ids.slice(newer.length).filter((id) => !known.has(id));
  return [...newer, ...shown.filter((id) => present.has(id)), ...older];
}
