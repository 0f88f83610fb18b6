/** Whole per cent saved against the original price; 0 when nothing is. */
export function saving(original: number, resale: number): number {
  return original > resale && original > 0 ? Math.floor(((original - resale) / original) * 100) : 0;
}
