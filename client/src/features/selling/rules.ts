import * as t from "@/texts/selling";
import type { FormPhoto } from "./photos";

/** Prices are whole US dollars within these (contract section 4). */
export const PRICE_MIN = 1;
export const PRICE_MAX = 100_000;
/** Says what is wrong with a typed price; true when nothing is. */
export function checkPrice(typed: string | number): string | true {
  const price = Number(typed);
  if (String(typed).trim() === "") return t.priceMissing;
  if (Number.isInteger(price) && price >= PRICE_MIN && price <= PRICE_MAX) return true;
  return t.priceWrong;
}

/** Says what is wrong with a required text; true when nothing is. */
export function required(label: string): (typed: string | undefined) => string | true {
  return (typed) => (typed ?? "").trim() !== "" || t.isRequired(label);
}

/** Says what is wrong with the chosen photographs; true when nothing is. */
export function checkPhotos(chosen: readonly FormPhoto[]): string | true {
  return chosen.length > 0 || t.isRequired(t.labels.image);
}

/** Today as YYYY-MM-DD where the user is. */
export function today(now = new Date()): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
