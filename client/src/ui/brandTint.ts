const TINTS = [
  "bg-tint-sky",
  "bg-tint-sage",
  "bg-tint-rose",
  "bg-tint-sand",
  "bg-tint-lilac",
  "bg-tint-mint",
] as const;

/** The background class of a brand's tile, by its _id; always the same for a brand. */
export function brandTint(key: string): (typeof TINTS)[number] {
  let sum = 0;
  for (let i = 0; i < key.length; i += 1) sum = (sum * 31 + key.charCodeAt(i)) % 997;
  return TINTS[sum % TINTS.length] ?? TINTS[0];
}
