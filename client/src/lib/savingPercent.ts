/** The saving against the original price in whole per cent; 0 if there is none. */
export function savingPercent(original: number, resale: number): number {
  return original > resale && original > 0 ? Math.floor(((original - resale) / original) * 100) : 0;
}
