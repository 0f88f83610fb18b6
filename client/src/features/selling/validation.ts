import { MAX_PRICE, MIN_PRICE } from "@/lib/productRules";
import * as t from "@/texts/selling";
import type { FormPhoto } from "./photoList";

/** Validates a price for react-hook-form: true if it is valid, otherwise the error message. */
export function checkPrice(value: string | number): string | true {
  const price = Number(value);
  if (String(value).trim() === "") return t.priceMissing;
  if (Number.isInteger(price) && price >= MIN_PRICE && price <= MAX_PRICE) return true;
  return t.priceWrong;
}

/** Validates a required text: true if it is not empty, otherwise the error message. */
export function required(label: string): (value: string | undefined) => string | true {
  return (value) => (value ?? "").trim() !== "" || t.isRequired(label);
}

/** Validates the photos: true if there is at least one, otherwise the error message. */
export function checkPhotos(photos: readonly FormPhoto[]): string | true {
  return photos.length > 0 || t.isRequired(t.labels.image);
}

/** Today's date in the user's time zone, as YYYY-MM-DD. */
export function today(now = new Date()): string {
  const padded = (n: number) => String(n).padStart(2, "0");
  return `${now.getFullYear()}-${padded(now.getMonth() + 1)}-${padded(now.getDate())}`;
}
