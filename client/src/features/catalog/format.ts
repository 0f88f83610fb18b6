export { saving } from "@/lib/money";
export { money } from "@/texts/language";

const days = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** YYYY-MM-DD as "3 Nov 2026"; anything else as it is. */
export function day(date: string): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? date : days.format(time);
}

/** How wide a card's photograph is: a grid of one, two or three columns. */
export const CARD_SIZES = "(min-width: 64rem) 26rem, (min-width: 40rem) 46vw, 92vw";
