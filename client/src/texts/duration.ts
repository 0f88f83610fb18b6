import { plural } from "./language";

const UNITS = [
  [86_400, { one: "# day", other: "# days" }],
  [3_600, { one: "# hour", other: "# hours" }],
  [60, { one: "# minute", other: "# minutes" }],
  [1, { one: "# second", other: "# seconds" }],
] as const;

const ONE = new Map([
  [86_400, "a day"],
  [3_600, "an hour"],
  [60, "a minute"],
]);

/** The same after a preposition: 3,600 is "an hour". */
export const within = (seconds: number) => ONE.get(seconds) ?? duration(seconds);

/** A duration in whole units, of the largest unit that fits: 7,200 is "2 hours", 5,400 "90 minutes". */
export function duration(seconds: number): string {
  const [size, words] = UNITS.find(([unit]) => seconds % unit === 0) ?? UNITS[3];
  return plural(seconds / size, words);
}
