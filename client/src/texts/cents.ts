import { LOCALE } from "./language";

const dollars = new Intl.NumberFormat(LOCALE, {
  style: "currency",
  currency: "USD",
  currencyDisplay: "narrowSymbol",
});

/** `cents(124050)` is "$1,240.50"; whole dollars are written without cents. */
export const cents = (amount: number) => dollars.format(amount / 100).replace(/\.00$/, "");
