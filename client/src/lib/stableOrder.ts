/** The shown keys, in their order, with the new ones at the end. The same array when there are none. */
export function appendNew(shown: readonly string[], keys: readonly string[]): readonly string[] {
  const held = new Set(shown);
  const fresh = keys.filter((key) => !held.has(key));
  return fresh.length === 0 ? shown : [...shown, ...fresh];
}

/** The number of keys that are shown after a key which follows them in `keys`. */
export function countOutOfOrder(shown: readonly string[], keys: readonly string[]): number {
  const places = new Map(keys.map((key, place) => [key, place]));
  let furthest = -1;
  let late = 0;
  for (const key of shown) {
    const place = places.get(key);
    if (place === undefined) continue;
    if (place < furthest) late += 1;
    else furthest = place;
  }
  return late;
}
