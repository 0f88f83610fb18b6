/**
 * Finds contact data in what people write to each other, so that they hear of it before they send. The server finds the
 * same (market/contact), and both pass the cases of market/contact/testdata/contact.json. Each pattern takes linear time.
 */

import { digit } from "./cleanText";

/** What a text contains: an address, a link to another site, or a telephone number or the name of a messenger. */
export type ContactFinding = "" | "contact" | "link" | "contact_warning";

export interface ContactOptions {
  /** This site's origin; links to it pass. */
  origin?: string;
  /** Telephone numbers that pass. */
  numbers?: readonly string[];
  /** After the payment only links are found. */
  isPaid?: boolean;
}

/** The last parts of names of sites that make a word a link. */
export const ENDINGS =
  "com net org info biz io co app dev shop store online site xyz link click ai ly gl cc gg de fr nl es pl ru br cn jp au ca ch se dk cz tr bd pk lk ng ke za".split(
    " ",
  );
/** Those that are words, too ("works.no scratches"), make a link only before a path. */
export const WORD_ENDINGS = "me be to in it us is am at so no my uk eu tv id".split(" ");
export const MESSENGERS =
  "whatsapp,whats app,what's app,whats-app,whatsap,watsapp,whatapp,telegram,viber,wechat,messenger,imo,skype,snapchat,instagram,insta,facebook,fb,discord,kakaotalk,zalo,botim,threema,signal app,line app".split(
    ",",
  );

/** Some of the words, as a part of a pattern. */
const any = (words: readonly string[]) => `(?:${words.join("|")})`;

/** An address with an @, which ends in letters. */
const WRITTEN = /[^\s@]@(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}/u;
const ALL_WRITTEN = new RegExp(WRITTEN, "gu");
/** An address with blanks, or with the word "at", which ends as sites do. */
const SPOKEN = new RegExp(
  String.raw`[^\s@][ \n]?(?:@|[ \n]at[ \n])[ \n]?(?:[\p{L}\p{N}_-]+ ?\. ?)+${any(ENDINGS)}\b`,
  "u",
);
/** A link that says so, and a word with an ending of the lists. */
const MARKED = /[a-z\d]:\/\/|\bhttps?:|\bwww\d?\.[\p{L}\p{N}]/u;
const NAMED = new RegExp(
  String.raw`[\p{L}\p{N}]\.${any(ENDINGS)}(?:[^\p{L}\p{N}_]|$)|[\p{L}\p{N}]\.${any(WORD_ENDINGS)}\/\S`,
  "u",
);
const MESSENGER = new RegExp(String.raw`\b${any(MESSENGERS)}\b`, "u");

/** Returns what a text contains, the first finding that applies. */
export function findContact(
  sent: string,
  { origin = "", numbers = [], isPaid = false }: ContactOptions = {},
): ContactFinding {
  const whole = normal(sent);
  if (!isPaid && WRITTEN.test(whole)) return "contact";
  const text = withoutOwnLinks(whole, origin);
  if (MARKED.test(text)) return "link";
  if (!isPaid && SPOKEN.test(text)) return "contact";
  if (NAMED.test(text.replace(ALL_WRITTEN, " "))) return "link";
  return !isPaid && (MESSENGER.test(text) || hasTelephone(text, numbers)) ? "contact_warning" : "";
}

/** NFKC in lower case, without marks and what nobody sees, with ASCII digits, hyphens, single blanks, and the signs for 'at' and 'dot'. */
const normal = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\r\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/[\t\u2800\p{Zs}]+/gu, " ")
    .replace(/\u3002/g, ".")
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/\p{Nd}/gu, (c) => String(digit(c)))
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/ +/g, " ")
    .replace(/ ?\n[\n ]*/g, "\n")
    .replace(/[ \n]?[[({<] ?(?:at|@) ?[\])}>][ \n]?/g, "@")
    .replace(/[ \n]?[[({<] ?(?:dot|\.) ?[\])}>][ \n]?|[ \n]dot[ \n]/g, ".");

/** Drops the words that are a link to this site. Behind its name they may have no dot, colon or @, which another site could hide in. */
function withoutOwnLinks(text: string, origin: string): string {
  const host = origin.toLowerCase().split("://")[1];
  if (!host) return text;
  const quoted = host.replace(/[.[\]]/g, String.raw`\$&`);
  const own = new RegExp(String.raw`^(?:https?:\/\/)?${quoted}(?:[/?#][\p{L}\p{N}/_?&=+%#-]*)?$`, "u");
  return text.replace(/[^ \n]+/g, (word) => (own.test(trimmed(word)) ? "" : word));
}

/** A word without the punctuation around it. A pattern would look for its end from each of its characters. */
function trimmed(word: string): string {
  const isAround = (c: string | undefined) => c !== undefined && `.,;:!?()[]<>"'`.includes(c);
  let [from, to] = [0, word.length];
  while (from < to && isAround(word[from])) from++;
  while (from < to && isAround(word[to - 1])) to--;
  return word.slice(from, to);
}

/** A telephone number has 8 to 13 digits after blanks and . - ( ) + are taken out. */
const MIN_DIGITS = 8;
const MAX_DIGITS = 13;
const IMEI_DIGITS = 15;
/** The most digits of an amount beside a currency. */
const MAX_AMOUNT = 9;
const CURRENCIES =
  "usd,eur,gbp,bdt,inr,pkr,tk,taka,rs,dollar,dollars,euro,euros,pound,pounds,rupee,rupees,bucks".split(",");
const DATE = String.raw`(?:(?:19|20)\d\d[-.][01]?\d[-.][0-3]?\d|[0-3]?\d[-.][01]?\d[-.](?:19|20)\d\d)\b`;
const TOKENS = new RegExp(String.raw`${DATE}|\d+(?:\.\d+)*|\p{L}+|[ .()+-]+|[^]`, "gu");
const IS_DATE = new RegExp(`^${DATE}$`);
const IS_GAP = /^[ .()+-]+$/;
/** A year, a storage, a round price, or a price with groups or cents. */
const IS_PLAIN =
  /^(?:(?:19|20)\d\d|16|32|64|128|256|512|1024|[1-9]\d{0,3}(?:00|50|99)|000|[1-9]\d{0,2}\.\d{3}|[1-9]\.\d{3}\.\d{3}|[1-9]\d{0,4}\.\d\d)$/;
const IS_SHORT = /^[1-9]\d?$/;

/** Whether a normal text has a telephone number, apart from the listed ones. */
function hasTelephone(text: string, listed: readonly string[]): boolean {
  const all = text.match(TOKENS) ?? [];
  const known = listed.map((number) => nationalDigits(normal(number)));
  let numbers: string[] = []; // a run of numbers that only gaps separate
  for (const [i, token] of all.entries()) {
    if (IS_GAP.test(token)) continue;
    if (/^[0-9]/.test(token) && !IS_DATE.test(token) && !isAmount(all, i)) {
      numbers.push(token);
      continue;
    }
    if (isTelephone(numbers, known)) return true;
    numbers = [];
  }
  return isTelephone(numbers, known);
}

/** Whether a number stands beside a currency. An amount does not begin with 0. */
function isAmount(all: readonly string[], i: number): boolean {
  const token = all[i] ?? "";
  if (token.startsWith("0") || digitsOf(token).length > MAX_AMOUNT) return false;
  return isCurrency(all, i, -1) || isCurrency(all, i, 1);
}

function isCurrency(all: readonly string[], from: number, step: number): boolean {
  const beside = all[from + step] ?? "";
  const token = /^[ .]+$/.test(beside) ? (all[from + 2 * step] ?? "") : beside;
  return CURRENCIES.includes(token) || /\p{Sc}/u.test(token);
}

/** Whether some neighbours in a run of numbers are a telephone number. IMEIs and listed numbers divide the run. */
function isTelephone(numbers: readonly string[], known: readonly string[]): boolean {
  let from = 0;
  for (let i = 0; i < numbers.length; ) {
    const n = passing(numbers.slice(i, i + IMEI_DIGITS), known);
    if (n > 0 && hasNumber(numbers.slice(from, i))) return true;
    i += Math.max(n, 1);
    if (n > 0) from = i;
  }
  return hasNumber(numbers.slice(from));
}

/** How many of the first numbers are an IMEI or a listed number together; 0 if they are not. */
function passing(numbers: readonly string[], known: readonly string[]): number {
  let digits = "";
  for (const [i, number] of numbers.entries()) {
    digits += digitsOf(number);
    if (digits.length > IMEI_DIGITS) break;
    const national = nationalDigits(digits);
    if ((digits.length === IMEI_DIGITS && isLuhn(digits)) || known.some((n) => isSame(national, n)))
      return i + 1;
  }
  return 0;
}

/** A run of numbers that are all plain or short is none, unless all are short. */
function hasNumber(numbers: readonly string[]): boolean {
  for (let from = 0; from < numbers.length; from++) {
    let [digits, plain, other] = [0, 0, 0];
    for (let i = from; i < numbers.length; i++) {
      const number = numbers[i] ?? "";
      digits += digitsOf(number).length;
      if (digits > MAX_DIGITS) break;
      if (IS_PLAIN.test(number)) plain++;
      else if (!IS_SHORT.test(number)) other++;
      if (digits >= MIN_DIGITS && (plain === 0 || other > 0)) return true;
    }
  }
  return false;
}

/** The digits of a number, without the 00 before the code of a country where it would be too long with it. */
function digitsOf(number: string): string {
  const digits = number.replace(/\D/g, "");
  return digits.length > MAX_DIGITS ? digits.replace(/^00/, "") : digits;
}

const nationalDigits = (number: string) => digitsOf(number).replace(/^0+/, "");

/** Whether two numbers are one, with or without the code of its country. */
const isSame = (a: string, b: string) =>
  Math.min(a.length, b.length) >= MIN_DIGITS - 1 && (a.endsWith(b) || b.endsWith(a));

function isLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((all, c, i) => {
    const n = Number(c) * (i % 2 === 1 ? 2 : 1);
    return all + (n > 9 ? n - 9 : n);
  }, 0);
  return sum % 10 === 0;
}
