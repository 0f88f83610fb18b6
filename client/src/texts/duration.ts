import { plural } from "./language";

/** A unit in seconds, its words, and its one with an article. */
const UNITS = [
  [86_400, { one: "# day", other: "# days" }, "a day"],
  [3_600, { one: "# hour", other: "# hours" }, "an hour"],
  [60, { one: "# minute", other: "# minutes" }, "a minute"],
  [1, { one: "# second", other: "# seconds" }, undefined],
] as const;

/** A duration in whole units, of the largest unit that fits: 7,200 is "2 hours", 5,400 "90 minutes". */
export function duration(seconds: number): string {
  const [size, words] = UNITS.find(([unit]) => seconds % unit === 0) ?? UNITS[3];
  return plural(seconds / size, words);
}

/** The same after a preposition: 3,600 is "an hour". */
export const within = (seconds: number) => UNITS.find(([unit]) => unit === seconds)?.[2] ?? duration(seconds);

const DAY = 24 * 60 * 60 * 1000;
/** How long ago a time was, in days; both in milliseconds since 1970. */
export function since(time: number, now: number): string {
  const days = Math.floor((now - time) / DAY);
  return days < 1 ? "today" : plural(days, { one: "# day ago", other: "# days ago" });
}
