/** The shown keys in their order, with the new ones appended. The same array if there are no new ones. */
export function appendNew(shown: readonly string[], keys: readonly string[]): readonly string[] {
  const known = new Set(shown);
  const added = keys.filter((key) => !known.has(key));
  return added.length === 0 ? shown : [...shown, ...added];
}

/** The number of keys that are shown after a key that they precede in `keys`. */
export function countOutOfOrder(shown: readonly string[], keys: readonly string[]): number {
  const positions = new Map(keys.map((key, position) => [key, position]));
  let highest = -1;
  let count = 0;
  for (const key of shown) {
    const position = positions.get(key);
    if (position === undefined) continue;
    if (position < highest) count += 1;
    else highest = position;
  }
  return count;
}
