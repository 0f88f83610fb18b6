import { splitWords } from "@/lib/productQuery";
import type { ListedPhone } from "./endpoints";

/** A range of fewer prices would be the price of one seller. */
const MIN_PHONES = 3;

/** Prices in whole US dollars, and the number of phones that have them. */
export interface PriceRange {
  lowest: number;
  highest: number;
  count: number;
}

/** The words of a phone's name, in any order, without its brand and its storage; "" if there are none. */
function modelOf(name: string, brand: string): string {
  const brandWords = new Set(splitWords(brand));
  const words = splitWords(name.replace(/\b\d+\s?[gt]b\b/gi, " ")).filter((word) => !brandWords.has(word));
  return [...new Set(words)].sort().join(" ");
}

/** The prices of the phones for sale whose names have the same words; null if there are too few. */
export function pricesOfLike(phones: readonly ListedPhone[], name: string, brand: string): PriceRange | null {
  const model = modelOf(name, brand);
  const alike = phones.filter((phone) => !phone.booked && modelOf(phone.name, brand) === model);
  if (model === "" || alike.length < MIN_PHONES) return null;
  const prices = alike.map(({ resalePrice }) => resalePrice);
  return { lowest: Math.min(...prices), highest: Math.max(...prices), count: alike.length };
}

/** The different names of the phones, in alphabetical order. */
export function namesOf(phones: readonly ListedPhone[]): string[] {
  return [...new Set(phones.map(({ name }) => name))].sort((a, b) => a.localeCompare(b));
}
