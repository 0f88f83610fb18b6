/**
 * Cleans texts that a person types or pastes, before they are checked. Notes, chats and address books add characters that
 * nobody sees, and write blanks, line ends, hyphens and digits in their own ways. The server does the same
 * (market/texts/clean.go), and both pass the cases of market/texts/testdata/texts.json. Passwords are never cleaned.
 */

/** The fillers of Hangul and the Braille cell without dots show as a blank, too. */
const BLANKS = /[\p{Zs}\u115f\u1160\u3164\uffa0\u2800]/gu;
const LINE_ENDS = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;
/** The hyphen of typesetting, and the one that does not break. */
const HYPHENS = /[\u2010\u2011]/g;
/** Characters whose meaning depends on their neighbours: joiners, selectors of a form, tags of flags. */
const NEEDS_CONTEXT = /[\p{Join_Control}\p{Variation_Selector}\u{e0020}-\u{e007f}]/u;
/** Controls, formats, direction marks, private use, the place of a picture. The signs over a number are visible. */
const INVISIBLE =
  /(?![\t\n\p{Join_Control}\p{Variation_Selector}\u{e0020}-\u{e007f}\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufffc]/gu;

const JOINER = /^\p{Join_Control}$/u;
const VARIATION = /^\p{Variation_Selector}$/u;
const TAG = /^[\u{e0020}-\u{e007f}]$/u;
const MARK = /^\p{M}$/u;
/** A joiner has a meaning beside emoji and their modifiers, and in scripts whose letters join. */
const JOINS =
  /^(?!\ufffd)(?:\u2194|(?![\0-\xff])[\p{So}\p{Sk}]|(?![\p{Variation_Selector}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}])[\p{L}\p{M}])$/u;
/** A selector chooses a form of emoji and symbols, of characters in Japanese names, and of letters of a few scripts. */
const HAS_VARIATIONS =
  /^(?:[©®‼⁉ℹ〰〽]|(?![\0-\xff])[\p{So}\p{Sm}\p{Sk}]|(?=[\p{L}\p{N}])[\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}\p{Script=Phags_Pa}])$/u;
const KEYCAP = /^[0-9#*]\ufe0f\u20e3$/;
const BLACK_FLAG = "\u{1f3f4}";

/** Drops what nobody sees, and replaces blanks, line ends and hyphens by the usual ones. */
function readable(text: string): string {
  const plain = text
    .replace(LINE_ENDS, "\n")
    .replace(BLANKS, " ")
    .replace(HYPHENS, "-")
    .replace(INVISIBLE, "");
  return NEEDS_CONTEXT.test(plain) ? withoutMeaningless(plain) : plain;
}

/** Drops the characters that need context where they mean nothing. */
function withoutMeaningless(text: string): string {
  let kept = "";
  // The last character that was kept, and the last one that was more than a mark.
  let before = "";
  let base = "";
  let isInFlag = false;
  const characters = [...text];
  for (const [index, c] of characters.entries()) {
    const next = characters[index + 1] ?? "";
    if (JOINER.test(c)) {
      if (JOINER.test(before) || !JOINS.test(base) || !JOINS.test(next)) continue;
    } else if (VARIATION.test(c)) {
      if (!HAS_VARIATIONS.test(before) && !KEYCAP.test(before + c + next)) continue;
    } else if (TAG.test(c)) {
      if (!isInFlag) continue;
    } else if (!MARK.test(c)) base = c;
    kept += c;
    before = c;
    isInFlag = c === BLACK_FLAG || (isInFlag && TAG.test(c));
  }
  return kept;
}

/** Cleans a text of one line: runs of blanks and line ends become one blank. */
export const cleanLine = (text: string) =>
  readable(text)
    .split(/[ \t\n]+/)
    .filter(Boolean)
    .join(" ");

/** Cleans a text of several lines: blanks at the ends of lines are dropped. */
export const cleanLines = (text: string) =>
  readable(text)
    .split("\n")
    .map((line) => line.replace(/[ \t]+$/, ""))
    .join("\n")
    .replace(/^[ \t\n]+|[ \t\n]+$/g, "");

/** Cleans a line in which digits of all scripts and full-width characters become ASCII, and every dash a hyphen. */
export const cleanNumber = (text: string) =>
  cleanLine(
    readable(text)
      .replace(/[\uff01-\uff5e]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
      .replace(/\p{Nd}/gu, (c) => String(digit(c)))
      .replace(/[\p{Pd}\u2212]/gu, "-"),
  );

/** The value of a digit. The digits of a script follow one another, and some scripts have several rows of ten. */
export function digit(c: string): number {
  const code = c.codePointAt(0) ?? 0;
  let n = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - n - 1))) n++;
  return n % 10;
}

/** Cleans a code that is typed from another screen: it has no blanks and no hyphens. */
export const cleanCode = (text: string) => cleanNumber(text).replace(/[ -]/g, "");

/** Cleans a telephone number, and drops the "tel:" of a link. */
export const cleanPhone = (text: string) => cleanNumber(text).replace(/^(?:tel: ?)+/i, "");

/** Cleans an email address, and takes it out of what surrounds it in links, lists and address books. */
export function cleanEmail(text: string): string {
  let address = asciiEmail(text);
  for (;;) {
    const inner = innerEmail(address);
    if (inner === address) return address;
    address = inner;
  }
}

/** The ideographic full stops are dots. */
const asciiEmail = (text: string) => cleanNumber(text).replace(/[\u3002\uff61]/g, ".");

/** Takes an address out of one surrounding: a "mailto:" link, a name before it, quotes, a comma behind it. */
function innerEmail(text: string): string {
  const address = text.replace(/[.,;]+$/, "").trim();
  if (/^mailto:/i.test(address)) return unescaped(address.slice("mailto:".length).split("?", 1)[0] ?? "");
  const name = address.lastIndexOf("<");
  if (name > 0 && address.endsWith(">")) return address.slice(name);
  const quoted = /^(?:<(.*)>|"(.*)"|'(.*)'|\u201c(.*)\u201d|\u2018(.*)\u2019)$/.exec(address);
  return quoted ? (quoted.slice(1).find((inner) => inner !== undefined) ?? "").trim() : address;
}

function unescaped(address: string): string {
  try {
    return asciiEmail(decodeURIComponent(address));
  } catch {
    return address;
  }
}
