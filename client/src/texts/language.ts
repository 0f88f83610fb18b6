import { moneyOf, numberOf, pluralOf } from "@/lib/english";

/** The language of these texts, for Stripe. */
export const LANG = "en";
/** Whose way it is to write numbers and dates, for Intl. */
export const LOCALE = "en-GB";

/** `plural(2, { one: "# phone", other: "# phones" })` is "2 phones". */
export const plural = pluralOf;
/** `number(1250)` is "1,250". */
export const number = numberOf;
/** `money(1250)`, whole US dollars, is "$1,250". */
export const money = moneyOf;
