/** As the British shorten them. */
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec".split(" ");

/**
 * What lib/intl's dateIn does for a day by UTC in English, "8 Nov 2026": on a list's first screen the browser's own
 * format would hold up the rest.
 */
export const dayOf = (when: Date) =>
  `${when.getUTCDate()} ${MONTHS[when.getUTCMonth()]} ${when.getUTCFullYear()}`;
