const dollars = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});

/** Whole US dollars as "$1,250". */
export function money(amount: number): string {
  return dollars.format(amount);
}

/** Whole per cent saved against the original price; 0 when nothing is. */
export function saving(original: number, resale: number): number {
  return original > resale && original > 0 ? Math.floor(((original - resale) / original) * 100) : 0;
}
