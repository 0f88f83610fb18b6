/** Combining accents. Marks of other scripts, such as the vowels of Bengali, distinguish words and are not included. */
const ACCENTS = /[\u0300-\u036f]/g;

/** The letter in the form that is compared: without accents, and with a final sigma as a normal one. */
function normalizeLetter(letter: string): string {
  const decomposed = letter.normalize("NFD");
  const base = decomposed.replace(ACCENTS, "");
  return (base === decomposed ? letter : base).replace("ς", "σ");
}

/**
 * Splits a text into words for the search, like the server: sequences of letters, digits and marks, in lower case and
 * without accents. Any other character separates words.
 */
export function tokenize(text: string): string[] {
  const letters = Array.from(text.toLowerCase().replace(ACCENTS, ""), normalizeLetter).join("");
  return letters.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** Whether the words contain each word of the search text; the last one may be the beginning of a word. */
export function matchesWords(searchText: string, words: readonly string[]): boolean {
  const terms = tokenize(searchText);
  const last = terms.pop();
  return (
    terms.every((term) => words.includes(term)) &&
    (last === undefined || words.some((word) => word.startsWith(last)))
  );
}
