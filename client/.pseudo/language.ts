import { moneyIn, numberIn, pluralIn } from "@/lib/intl";

/** The language of these texts, for `<html lang>`. */
export const LANG = "ar";
/** Which way it is written, for `<html dir>`. */
export const DIR: "ltr" | "rtl" = "rtl";
/** Whose way it is to write numbers and dates, for Intl. */
export const LOCALE = "ar-EG";

/** `plural(2, { one: "# phone", other: "# phones" })` is "2 phones". */
export const plural = /* @__PURE__ */ pluralIn(LOCALE);
/** `number(1250)` is "1,250". */
export const number = /* @__PURE__ */ numberIn(LOCALE);
/** `money(1250)`, whole US dollars, is "$1,250". */
export const money = /* @__PURE__ */ moneyIn(LOCALE);
