import { number } from "./language";

// The specification's words.
export const getStarted = "Get Started";
export const brands = "Smartphone Brands";
export const allBrands = "View All Brands";

/** The hero: what this is. */
export const tagline = "Sell and Buy Used Phones, live";
export const title = "Give your used mobile phone a second life";
export const lead =
  "Buy a phone for less, or sell the one you no longer use. When a phone is booked, you see it at once.";
export const browse = "Browse phones";

/** What is special here, in three lines. */
export const special = "Why SecondRing";
export const live = "Live on every screen";
export const liveLead = "No double bookings: when a phone is booked, everyone sees it at once.";
export const named = "Know your seller";
export const namedLead = "Every phone shows who sells it and whether we have verified them.";
export const paid = "Book first, then pay by card";
export const paidLead =
  "A booking holds the phone for you while you pay. If you change your mind, you can cancel it.";

/** The brands, and the phones beside the hero. */
export const brandsFailed = "The brands could not be loaded.";
export const noBrands = "No brands yet";
export const available = (n: number) => `${number(n)} available`;
export const fromPrice = (price: string) => `from ${price}`;
export const noneAvailable = "None available right now";
export const loadingBrands = "Loading brands";
export const unavailable = "Unavailable";
