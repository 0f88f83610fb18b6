import { dateFormat } from "./language";

const day = dateFormat({ day: "numeric", month: "short", year: "numeric" });
const minute = dateFormat({
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** The day of a time of the server: "3 Nov 2026". */
export const dayOf = (time: string) => day(new Date(time));

/** The same to the minute: "3 Nov 2026, 14:05". */
export const minuteOf = (time: string) => minute(new Date(time));
