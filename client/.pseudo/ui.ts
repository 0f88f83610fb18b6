import { number, plural } from "./language";

export const loading = "Ｌｏａｄｉｎｇ";
export const close = "Ｃｌｏｓｅ";
export const cancel = "Ｃａｎｃｅｌ";
/** What a question's answer is called, where it deletes. */
export const remove = "Ｄｅｌｅｔｅ";
export const tryAgain = "Ｔｒｙ ａｇａｉｎ";

/** How much of a list is shown, where the whole is known, and where not. */
export const showingOf = (shown: number, all: number) => `Ｓｈｏｗｉｎｇ ${number(shown)} ｏｆ ${number(all)}`;
export const showing = (shown: number) => `Ｓｈｏｗｉｎｇ ${number(shown)}`;
export const loadMore = "Ｌｏａｄ ｍｏｒｅ";
/** Brings what has come while one looked to its place at the top; `Short` where there is little room. */
export const showNew = (count: number) =>
  plural(count, { one: "Ｓｈｏｗ # ｎｅｗ ｆｉｒｓｔ", other: "Ｓｈｏｗ # ｎｅｗ ｆｉｒｓｔ" });
export const showNewShort = (count: number) => plural(count, { one: "# ｎｅｗ", other: "# ｎｅｗ" });
/** Takes away the places of what has gone. */
export const closeGaps = "Ｃｌｏｓｅ ｔｈｅ ｇａｐｓ";

/** How long there is until something ends. */
export const hoursLeft = (hours: number, minutes: number) => `${hours} ｈ ${minutes} ｍｉｎ ｌｅｆｔ`;
export const minutesLeft = (minutes: number) => `${minutes} ｍｉｎ ｌｅｆｔ`;
export const secondsLeft = (seconds: number) => `${seconds} ｓ ｌｅｆｔ`;
export const timeUp = "Ｔｉｍｅ ｉｓ ｕｐ";

/** Names of the places in which things are said. */
export const notifications = "Ｎｏｔｉｆｉｃａｔｉｏｎｓ";
export const dismiss = "Ｄｉｓｍｉｓｓ";
export const liveChanges = "Ｌｉｖｅ ｃｈａｎｇｅｓ";
/** After the last of many changes. */
export const moreChanges = (count: number) =>
  plural(count, { one: "ａｎｄ # ｍｏｒｅ ｃｈａｎｇｅ", other: "ａｎｄ # ｍｏｒｅ ｃｈａｎｇｅｓ" });
