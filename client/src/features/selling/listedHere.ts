import { splitWords, storageOf } from "@/lib/productQuery";
import type { ListedPhone } from "./endpoints";

/** A range of fewer prices would be the price of one seller. */
const MIN_PHONES = 3;

/** Prices in whole US dollars, and the number of phones that have them. */
export interface PriceRange {
  lowest: number;
  highest: number;
  count: number;
  /** Gigabytes that all of these phones have; 0 if they are of every storage. */
  storage: number;
}

/** The phone that is to be listed, as far as it is filled in. */
interface Typed {
  name: string;
  brand: string;
  /** Gigabytes; 0 if it is not chosen. */
  storage: number;
}

/** The words of a phone's name, in any order, without its brand and its storage; "" if there are none. */
function modelOf(name: string, brand: string): string {
  const brandWords = new Set(splitWords(brand));
  const words = splitWords(name.replace(/\b\d+\s?[gt]b\b/gi, " ")).filter((word) => !brandWords.has(word));
  return [...new Set(words)].sort().join(" ");
}

/**
 * The prices of the phones for sale whose names have the same words: of those with the same storage if it is known and
 * there are enough, otherwise of all; null if there are too few.
 */
export function pricesOfLike(phones: readonly ListedPhone[], typed: Typed): PriceRange | null {
  const { brand } = typed;
  const model = modelOf(typed.name, brand);
  const ofModel = phones.filter((phone) => !phone.booked && modelOf(phone.name, brand) === model);
  const storage = storageOf(typed);
  const alike = ofModel.filter((phone) => storage > 0 && storageOf(phone) === storage);
  if (model === "") return null;
  return rangeOf(alike, storage) ?? rangeOf(ofModel, 0);
}

function rangeOf(phones: readonly ListedPhone[], storage: number): PriceRange | null {
  if (phones.length < MIN_PHONES) return null;
  const prices = phones.map(({ resalePrice }) => resalePrice);
  return { lowest: Math.min(...prices), highest: Math.max(...prices), count: phones.length, storage };
}

/** The different names of the phones, in alphabetical order. */
export function namesOf(phones: readonly ListedPhone[]): string[] {
  return [...new Set(phones.map(({ name }) => name))].sort((a, b) => a.localeCompare(b));
}
