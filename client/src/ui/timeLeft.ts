import * as t from "@/texts/ui";

/** A minute in milliseconds. */
export const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** "4 days" from two days on, to the nearest day, "3 h 20 min", "45 s"; null once the time is over. */
export function timeLeft(until: string, now: number): string | null {
  const left = Date.parse(until) - now;
  if (!(left > 0)) return null;
  if (left < MINUTE) return t.seconds(Math.ceil(left / 1000));
  const minutes = Math.floor(left / MINUTE);
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return t.minutes(minutes);
  if (hours >= 48) return t.days(Math.round(left / DAY));
  return t.hours(hours, minutes % 60);
}
