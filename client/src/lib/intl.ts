/** The forms of a phrase for a number, `#` standing for the number: English has one and other, Arabic six. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Made when it is first needed: a browser's first of them reads tables for 30 milliseconds, on a slow phone 100. */
function later<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Picks the form that goes with a number and writes the number into it. */
export function pluralIn(locale: string): (n: number, forms: Forms) => string {
  const rules = later(() => new Intl.PluralRules(locale));
  const number = numberIn(locale);
  return (n, forms) => (forms[rules().select(n)] ?? forms.other).replace("#", number(n));
}

/** Writes a number: 1250 as "1,250". */
export function numberIn(locale: string): (n: number) => string {
  const format = later(() => new Intl.NumberFormat(locale));
  return (n) => format().format(n);
}

/** Writes whole US dollars: 1250 as "$1,250". */
export function moneyIn(locale: string): (dollars: number) => string {
  const format = later(
    () =>
      new Intl.NumberFormat(locale, {
        style: "currency",
        currency: "USD",
        currencyDisplay: "narrowSymbol",
        maximumFractionDigits: 0,
      }),
  );
  return (dollars) => format().format(dollars);
}

/** Writes a time in the parts that the options name. */
export function dateIn(locale: string, options: Intl.DateTimeFormatOptions): (when: Date) => string {
  const format = later(() => new Intl.DateTimeFormat(locale, options));
  return (when) => format().format(when);
}
