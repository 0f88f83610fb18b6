/** How hard a password is to guess. */
export type Strength = "weak" | "fair" | "strong";

const CLASSES: [pattern: RegExp, size: number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[^a-zA-Z\d]/, 33],
];

/** From these numbers of bits on, a password is fair or strong. */
const FAIR_BITS = 40;
const STRONG_BITS = 60;

/** An estimate from length and variety. A character that repeats or continues the one before it ("aaa", "123") adds nothing. */
export function passwordStrength(password: string): Strength {
  const codes = Array.from(password.toLowerCase(), (character) => character.codePointAt(0) ?? 0);
  const counted = codes.filter((code, index) => index === 0 || Math.abs(code - (codes[index - 1] ?? 0)) > 1);
  // "dodododo" is long, but has two characters only.
  const length = Math.min(counted.length, 1.5 * new Set(codes).size);
  const alphabet = CLASSES.reduce((sum, [pattern, size]) => (pattern.test(password) ? sum + size : sum), 1);
  const bits = length * Math.log2(alphabet);
  if (bits < FAIR_BITS) return "weak";
  return bits < STRONG_BITS ? "fair" : "strong";
}
