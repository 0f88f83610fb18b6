import { parseDollars } from "@/lib/dollars";
import { MAX_POSTAGE, MIN_PRICE } from "@/lib/productRules";
import { serverNow } from "@/lib/serverTime";
import { priceWrong, wholeDollarsOnly } from "@/texts/money";
import * as t from "@/texts/selling";
import { priceProblem } from "@/ui/priceProblem";
import type { FormPhoto } from "./photoList";

/** Validates a price for react-hook-form: true if it is valid, otherwise the error message. */
export function checkPrice(value: string): string | true {
  if (value.trim() === "") return t.priceMissing;
  return priceProblem(value) ?? (priceOf(value) >= MIN_PRICE || priceWrong);
}

/** Validates the postage for react-hook-form: true if it is valid, otherwise the error message. */
export function checkPostage(value: string): string | true {
  const postage = parseDollars(value);
  if (postage === "cents") return wholeDollarsOnly;
  return (postage !== "price" && postage <= MAX_POSTAGE) || t.postageWrong;
}

/** The whole dollars of a price that is valid; NaN for any other text. */
export const priceOf = (value: string) => Number(parseDollars(value));

/** Validates a required text that is cleaned: true if it is not empty, otherwise the error message. */
export function required(label: string): (value: string | undefined) => string | true {
  return (value) => Boolean(value) || t.isRequired(label);
}

/** Validates the date of the offer as the server does: from 2000 to tomorrow. */
export function checkDate(value: string): string | true {
  if (value === "") return t.isRequired(t.labels.selling_post_date);
  return (value >= FIRST_DAY && value <= tomorrow()) || t.dateWrong;
}

/** The first day that the date of an offer may have. */
export const FIRST_DAY = "2000-01-01";

/** Tomorrow in the user's time zone, as YYYY-MM-DD. */
export function tomorrow(now = new Date(serverNow())): string {
  return today(new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1));
}

/** Validates the photos: true if there is at least one, otherwise the error message. */
export function checkPhotos(photos: readonly FormPhoto[]): string | true {
  return photos.length > 0 || t.isRequired(t.labels.image);
}

/** Today's date in the user's time zone, by the server's clock, as YYYY-MM-DD. */
export function today(now = new Date(serverNow())): string {
  const padded = (n: number) => String(n).padStart(2, "0");
  return `${now.getFullYear()}-${padded(now.getMonth() + 1)}-${padded(now.getDate())}`;
}
