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

/** The brands, and the phones beside the hero. */
export const brandsFailed = "The brands could not be loaded.";
export const noBrands = "No brands yet";
export const available = (n: number) => `${number(n)} available`;
export const fromPrice = (price: string) => `from ${price}`;
export const noneAvailable = "None available right now";
export const loadingBrands = "Loading brands";
export const unavailable = "Unavailable";
