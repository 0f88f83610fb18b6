/** What the fields of a phone may contain, as in market/validation.go; the conditions are in order, the best first. */
export const CONDITIONS = ["Excellent", "Good", "Fair"] as const;

/** The limits of prices, whole US dollars. */
export const MIN_PRICE = 1;
export const MAX_PRICE = 100_000;
/** The highest postage, whole US dollars; 0 is the lowest. */
export const MAX_POSTAGE = 200;
