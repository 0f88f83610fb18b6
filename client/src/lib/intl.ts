/** The forms of a phrase for a number, `#` standing for the number: English has one and other, Arabic six. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Picks the form that goes with a number and writes the number into it. */
export function pluralIn(locale: string): (n: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(locale);
  const number = numberIn(locale);
  return (n, forms) => (forms[rules.select(n)] ?? forms.other).replace("#", number(n));
}

/** Writes a number: 1250 as "1,250". */
export function numberIn(locale: string): (n: number) => string {
  const format = new Intl.NumberFormat(locale);
  return (n) => format.format(n);
}

/** Writes whole US dollars: 1250 as "$1,250". */
export function moneyIn(locale: string): (dollars: number) => string {
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    maximumFractionDigits: 0,
  });
  return (dollars) => format.format(dollars);
}

/** Writes a time in the parts that the options name. */
export function dateIn(locale: string, options: Intl.DateTimeFormatOptions): (when: Date) => string {
  const format = new Intl.DateTimeFormat(locale, options);
  return (when) => format.format(when);
}
