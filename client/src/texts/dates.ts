import { clock, dateFormat } from "./language";

// The dates and times of the server, in the time zone of the browser.

/** A function that writes a time of the server. */
const timeFormat = (options: Intl.DateTimeFormatOptions) => {
  const format = dateFormat(options);
  return (time: string) => format(new Date(time));
};

const SHORT = { day: "numeric", month: "short" } as const;
const LONG = { day: "numeric", month: "long", year: "numeric" } as const;
const YEAR = { year: "numeric" } as const;
const MINUTE = { hour: "2-digit", minute: "2-digit" } as const;

/** "3 Nov 2026". */
export const shortDay = timeFormat({ ...SHORT, ...YEAR });
/** "3 Nov 2026, 14:05". */
export const shortMinute = timeFormat({ ...SHORT, ...YEAR, ...MINUTE });
/** "3 November 2026". */
export const longDay = timeFormat(LONG);
/** "3 November 2026 at 14:05". */
export const longMinute = timeFormat({ ...LONG, ...MINUTE });
/** "3 Nov", for a day of this year. */
export const dayOfYear = timeFormat(SHORT);
/** "3 Nov, 14:05", for a time of this year. */
export const minuteOfYear = timeFormat({ ...SHORT, ...MINUTE });

const HALF_A_DAY = 12 * 3600 * 1000;
/** "14:05" for a time within twelve hours, else "3 Nov, 14:05". */
export const timeOrDay = (time: string, now: number) =>
  Date.parse(time) - now < HALF_A_DAY ? clock(new Date(time)) : minuteOfYear(time);

const utcDay = timeFormat({ ...SHORT, ...YEAR, timeZone: "UTC" });
/** A calendar day without a time, YYYY-MM-DD, as "3 Nov 2026" in every time zone; anything else as it is. */
export const calendarDay = (written: string) =>
  Number.isNaN(Date.parse(written)) ? written : utcDay(written);
