/**
 * What lib/intl's dateIn does for a day by UTC, "8 Nov 2026" in English: on a list's first screen the browser's own
 * format would hold up the rest.
 */
export const dayWith =
  (months: readonly string[]) =>
  (when: Date): string =>
    `${when.getUTCDate()} ${months[when.getUTCMonth()]} ${when.getUTCFullYear()}`;
