/** Combining accents. Marks of other scripts, such as the vowels of Bengali, distinguish words and are not included. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Characters that nobody sees. */
const INVISIBLE = /\p{Cf}/gu;
/** Trademark signs, which NFKD would turn into letters. */
const TRADEMARKS = /[\u2122\u2120]/g;
const OTHER_DIGITS = /[^\P{Nd}0-9]/gu;
const ASCII_ONLY = /^[\0-\x7f]*$/;

/** The most neighbouring parts of a brand, name or place that are joined to a token. */
const MAX_TITLE_PARTS = 8;

/** The ASCII digit for a decimal digit of any script. Each script has its ten digits one after the other. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let before = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** The text as searches compare it: NFKC, in lower case, with ASCII digits, without accents and invisible characters. */
function normalize(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  const plain = text.replace(TRADEMARKS, " ").normalize("NFKD").replace(ACCENTS, "").replace(INVISIBLE, "");
  const lower = Array.from(plain, (letter) => letter.toLowerCase()).join("");
  return lower.replace(/ς/g, "σ").replace(ACCENTS, "").replace(OTHER_DIGITS, asciiDigit).normalize("NFC");
}

/**
 * Splits a text into words, like the server: sequences of letters, digits and marks. A plus directly after one is the
 * word "plus". Any other character separates words.
 */
export function tokenize(text: string): string[] {
  const withPlus = normalize(text).replace(/([\p{L}\p{N}\p{M}])\+(?![\p{L}\p{N}])/gu, "$1 plus ");
  return withPlus.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
}

const isDigit = (character: string | undefined) => /^[0-9]$/.test(character ?? "");

/** The word's parts: numbers, and what is between them. */
export const partsOf = (word: string): string[] => word.match(/[0-9]+|[^0-9]+/g) ?? [];

/** Splits a word between letters and digits: "pixel7pro" is "pixel 7 pro". A single letter stays with its number. */
function split(word: string): string[] {
  const words: string[] = [];
  let previous = "";
  for (const part of partsOf(word)) {
    const letters = isDigit(previous[0]) ? part : previous;
    if (previous === "" || Array.from(letters).length > 1) words.push(part);
    else words.push(words.pop() + part);
    previous = part;
  }
  return words;
}

/** The words of a text, each split. */
export const splitWords = (text: string): string[] => tokenize(text).flatMap(split);

/**
 * The tokens of a text whose words may be joined: each sequence of neighbouring parts that is one word when it is split.
 * Two numbers are never joined.
 */
export function titleTokens(text: string): string[] {
  const parts = tokenize(text).flatMap(partsOf);
  const tokens: string[] = [];
  parts.forEach((_, from) => {
    let token = "";
    for (const part of parts.slice(from, from + MAX_TITLE_PARTS)) {
      const isTwoNumbers = isDigit(token.at(-1)) && isDigit(part[0]);
      token += part;
      if (isTwoNumbers || split(token).length > 1) break;
      tokens.push(token);
    }
  });
  return tokens;
}

/** A token that a phone must have, or the beginning of one. */
interface Token {
  word: string;
  isPrefix: boolean;
}

/** One word of a query: a phone has one of the tokens, the word alone or joined with a neighbour. */
export type Term = readonly Token[];

/** The words of a query. With `isPrefix` the last one may be the beginning of a token, but a number is never cut. */
export function termsOf(text: string, isPrefix: boolean): Term[] {
  const words = splitWords(text);
  const last = words.at(-1);
  const endsInBeginning = isPrefix && !isDigit(last?.at(-1));
  return words.map((word, i) => {
    const [before, after] = [words[i - 1], words[i + 1]];
    const isLast = (index: number) => endsInBeginning && index === words.length - 1;
    const term = [{ word, isPrefix: isLast(i) }];
    if (before !== undefined && meetInLetters(before, word))
      term.push({ word: before + word, isPrefix: isLast(i) });
    if (after !== undefined && meetInLetters(word, after))
      term.push({ word: word + after, isPrefix: isLast(i + 1) });
    return term;
  });
}

/** Whether two neighbouring words may be one in a phone. */
const meetInLetters = (a: string, b: string) => !isDigit(a.at(-1)) && !isDigit(b[0]);

/** Whether the tokens contain each term. */
export function hasAllTerms(terms: readonly Term[], tokens: ReadonlySet<string>): boolean {
  const has = ({ word, isPrefix }: Token) =>
    tokens.has(word) || (isPrefix && [...tokens].some((token) => token.startsWith(word)));
  return terms.every((term) => term.some(has));
}
