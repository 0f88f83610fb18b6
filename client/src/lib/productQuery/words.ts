/** Marks that stand after their letter; those of other scripts, such as the vowels of Bengali, make another word. */
const ACCENTS = /[\u0300-\u036f]/g;

/** The letter that is compared: without accents, and the final sigma as any other. */
function plain(letter: string): string {
  const parts = letter.normalize("NFD");
  const base = parts.replace(ACCENTS, "");
  return (base === parts ? letter : base).replace("ς", "σ");
}

/**
 * What a text is searched by, as the server's market.Words: its runs of letters,
 * digits and marks, in lower case and without accents. All else parts words.
 */
export function words(text: string): string[] {
  const letters = Array.from(text.toLowerCase().replace(ACCENTS, ""), plain).join("");
  return letters.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** Whether each word of what somebody types is among the words: whole, the last one at least as a beginning. */
export function allIn(typed: string, among: readonly string[]): boolean {
  const terms = words(typed);
  const last = terms.pop();
  return (
    terms.every((term) => among.includes(term)) &&
    (last === undefined || among.some((word) => word.startsWith(last)))
  );
}
