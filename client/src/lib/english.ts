import type { Forms } from "./intl";

const THREES = /\B(?=(?:\d{3})+$)/g;

/*
 * What lib/intl does, for English: all of our numbers are whole and none is below zero, so they need no format
 * of the browser's, the first of which would hold up the first screen.
 */

/** Writes a whole number: 1250 as "1,250". */
export const numberOf = (n: number) => String(n).replace(THREES, ",");

/** Writes whole US dollars: 1250 as "$1,250". */
export const moneyOf = (dollars: number) => `$${numberOf(dollars)}`;

/** Picks the form that goes with a number and writes the number into it. */
export const pluralOf = (n: number, { one, other }: Forms) =>
  ((n === 1 && one) || other).replace("#", numberOf(n));
