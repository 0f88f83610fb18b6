import type { Product } from "@/api/types";
import { CONDITIONS } from "@/lib/productRules";
import { savingPercent } from "@/lib/savingPercent";

/** The number of phones in Home's first panel. */
export const FEATURED = 3;
/** From this many percent on, a saving counts in full: sellers state the original price themselves. */
const GOOD_SAVING = 30;

/** The criteria of the order, most important first; a higher number is better. */
const MERITS: ((phone: Product) => number)[] = [
  ({ verified }) => Number(verified),
  ({ productCondition }) => -CONDITIONS.indexOf(productCondition),
  ({ photos }) => Number(photos.length > 1),
  ({ originalPrice, resalePrice }) => Number(savingPercent(originalPrice, resalePrice) >= GOOD_SAVING),
];

function byMerit(one: Product, other: Product): number {
  for (const merit of MERITS) {
    const difference = merit(other) - merit(one);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Visitors do not receive the email of a seller, so sellers are identified by name. */
const sellerOf = ({ sellerName }: Product) => sellerName.trim().toLowerCase();

/** Up to `count` phones in their order, with at most `most` of each seller. */
export function limitPerSeller(phones: readonly Product[], most: number, count: number): Product[] {
  const countBySeller = new Map<string, number>();
  const chosen: Product[] = [];
  for (const phone of phones) {
    const chosenOfSeller = countBySeller.get(sellerOf(phone)) ?? 0;
    if (chosenOfSeller === most) continue;
    countBySeller.set(sellerOf(phone), chosenOfSeller + 1);
    chosen.push(phone);
    if (chosen.length === count) break;
  }
  return chosen;
}

/**
 * The _ids of the advertised phones in Home's first panel, that of the largest tile first: the best by the criteria
 * above, one of each seller. The newer phone is first only among equals, so nobody gets the largest tile by advertising
 * last.
 */
export function featured(newestFirst: readonly Product[]): string[] {
  const best = [...newestFirst].sort(byMerit); // a stable sort: equals stay newest first
  return limitPerSeller(best, 1, FEATURED).map(({ _id }) => _id);
}
