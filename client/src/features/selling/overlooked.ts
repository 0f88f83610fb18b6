import type { Product } from "@/api/types";

/** A phone is given this time to be noticed: a week, in milliseconds. */
const NOTICED_WITHIN = 7 * 24 * 60 * 60 * 1000;

/** Whether a phone has been for sale for a week, and nobody watches it or waits for it. */
export function isOverlooked(phone: Product, now: number): boolean {
  const { booked, watchers, listedAt } = phone;
  return !booked && watchers === 0 && listedAt !== undefined && now - Date.parse(listedAt) > NOTICED_WITHIN;
}

/** 5 % less, in whole dollars; at least a dollar less where that is possible. */
export const loweredPrice = (price: number): number =>
  Math.max(1, Math.min(price - 1, Math.round(price * 0.95)));
