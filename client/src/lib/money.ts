const dollars = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});

/** Whole US dollars as "$1,250". */
export function money(amount: number): string {
  return dollars.format(amount);
}
