/** Accents after their letter. Marks of other scripts, such as the vowels of Bengali, distinguish words and are not listed. */
const ACCENTS = /[\u0300-\u036f]/g;

/** The letter as it is compared: without accents, and with the final sigma as a usual one. */
function plain(letter: string): string {
  const parts = letter.normalize("NFD");
  const base = parts.replace(ACCENTS, "");
  return (base === parts ? letter : base).replace("ς", "σ");
}

/**
 * The words of a text for the search, as in the server: runs of letters, digits and marks, in lower case and without
 * accents. Any other character separates words.
 */
export function words(text: string): string[] {
  const letters = Array.from(text.toLowerCase().replace(ACCENTS, ""), plain).join("");
  return letters.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** Whether the text contains each search word: the last one as a beginning, the others whole. */
export function allIn(typed: string, among: readonly string[]): boolean {
  const terms = words(typed);
  const last = terms.pop();
  return (
    terms.every((term) => among.includes(term)) &&
    (last === undefined || among.some((word) => word.startsWith(last)))
  );
}
