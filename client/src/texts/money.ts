import { LOCALE, once } from "./language";

/** The problems of a typed price. */
export const wholeDollarsOnly = "Prices are in whole dollars: 250, not 250.50";
export const priceWrong = "Price must be a whole number of dollars from 1 to 100,000";

const currencyFormat = (fractionDigits: number) =>
  once(
    () =>
      new Intl.NumberFormat(LOCALE, {
        style: "currency",
        currency: "USD",
        currencyDisplay: "narrowSymbol",
        maximumFractionDigits: fractionDigits,
      }),
  );
const wholeDollars = currencyFormat(0);
const withCents = currencyFormat(2);

/** `dollars(1250)`, whole US dollars, is "$1,250". */
export const dollars = (amount: number) => wholeDollars().format(amount);

/** `cents(124050)` is "$1,240.50"; whole dollars are written without cents. */
export const cents = (amount: number) =>
  withCents()
    .format(amount / 100)
    .replace(/\.00$/, "");
