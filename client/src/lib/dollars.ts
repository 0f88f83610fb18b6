import { cleanNumber } from "./cleanText";

/** Why a text is no price: it has cents, or it is something else. */
export type WrongDollars = "cents" | "price";

const MAX_DIGITS = 12;

/** What people write before or behind an amount in US dollars. */
const CURRENCY = String.raw`(?:us ?\$|u\.s\. ?\$|us ?dollars?|dollars?|usd ?\$?|\$)`;

/** Groups have three digits, in India and Bangladesh two before the last three. */
const grouped = (separator: string) =>
  String.raw`[1-9]\d{0,2}(?:${separator}\d{3})+|[1-9]\d?(?:${separator}\d{2})+${separator}\d{3}`;

const AMOUNT = new RegExp(
  String.raw`^(?:${CURRENCY} ?)?(\d+|${[",", String.raw`\.`, " ", "'"].map(grouped).join("|")})` +
    String.raw`(?:([.,\u066b])(\d{1,2}|-)?)?(?: ?${CURRENCY})?$`,
);

/**
 * Parses a price as people write it: with or without groups, cents that are zero and the currency, in the digits of any
 * script. A separator before three digits separates groups: 1.250 is 1250. The server does the same
 * (market/texts/dollars.go), and both pass the cases of market/texts/testdata/dollars.json.
 */
export function parseDollars(text: string): number | WrongDollars {
  const plain = cleanNumber(text)
    .replace(/[\u066c\u060c]/g, ",")
    .replace(/[\u2019\u2018\u00b4`]/g, "'")
    .replace(/\ufe69/g, "$")
    .toLowerCase();
  const [, whole = "", sign, cents = ""] = AMOUNT.exec(plain) ?? [];
  if (whole === "" || (sign && whole.includes(sign))) return "price";
  if (/[1-9]/.test(cents)) return "cents";
  const digits = whole.replace(/\D/g, "");
  return digits.length > MAX_DIGITS ? "price" : Number(digits);
}
