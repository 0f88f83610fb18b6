// Writes numbers and times; money and dates are in money.ts and dates.ts. The client is in English only.

/** The language of the texts, for Stripe. */
export const LANG = "en";
export const LOCALE = "en-GB";

/** Makes a formatter when it is first used: the first one of a page takes the browser some milliseconds. */
export const once = <T>(make: () => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const numbers = once(() => new Intl.NumberFormat(LOCALE));
const plurals = once(() => new Intl.PluralRules(LOCALE));

/** `number(1250)` is "1,250". */
export const number = (n: number) => numbers().format(n);

/** `plural(2, { one: "# phone", other: "# phones" })` is "2 phones". */
export const plural = (n: number, { one, other }: { one: string; other: string }) =>
  (plurals().select(n) === "one" ? one : other).replace("#", number(n));

const lists = once(() => new Intl.ListFormat(LOCALE));

/** `list(["a", "b", "c"])` is "a, b and c". */
export const list = (items: readonly string[]) => lists().format(items);

const ordinals = once(() => new Intl.PluralRules(LOCALE, { type: "ordinal" }));
const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };

/** `ordinal(2)` is "2nd". */
export const ordinal = (n: number) => `${number(n)}${ENDINGS[ordinals().select(n)] ?? "th"}`;

/** Returns a function that writes the given parts of a date. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (when: Date) => string {
  const format = once(() => new Intl.DateTimeFormat(LOCALE, options));
  return (when) => format().format(when);
}

/** The time of day: "14:05". */
export const clock = dateFormat({ hour: "2-digit", minute: "2-digit" });
