const TINTS = [
  "bg-tint-sky",
  "bg-tint-sage",
  "bg-tint-rose",
  "bg-tint-sand",
  "bg-tint-lilac",
  "bg-tint-mint",
] as const;

/** The ground that photographs of this group stand on, as a class: the same wherever they are shown. */
export function tintOf(key: string): (typeof TINTS)[number] {
  let sum = 0;
  for (let place = 0; place < key.length; place += 1) sum = (sum * 31 + key.charCodeAt(place)) % 997;
  return TINTS[sum % TINTS.length] ?? TINTS[0];
}
