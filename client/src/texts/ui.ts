import { number, plural } from "./language";

export const loading = "Loading";
export const close = "Close";
export const cancel = "Cancel";
/** What a question's answer is called, where it deletes. */
export const remove = "Delete";
export const tryAgain = "Try again";
/** In the place of a photo that is not there, or not any more. */
export const noPhoto = "No photo";

/** How much of a list is shown, where the whole is known, and where not. */
export const showingOf = (shown: number, all: number) => `Showing ${number(shown)} of ${number(all)}`;
export const showing = (shown: number) => `Showing ${number(shown)}`;
export const loadMore = "Load more";
/** Brings what has come while one looked to its place at the top; `Short` where there is little room. */
export const showNew = (count: number) =>
  plural(count, { one: "Show # new first", other: "Show # new first" });
export const showNewShort = (count: number) => plural(count, { one: "# new", other: "# new" });
/** Takes away the places of what has gone. */
export const closeGaps = "Remove empty places";

/** How long there is until something ends. */
export const hoursLeft = (hours: number, minutes: number) => `${hours} h ${minutes} min left`;
export const minutesLeft = (minutes: number) => `${minutes} min left`;
export const secondsLeft = (seconds: number) => `${seconds} s left`;
export const timeUp = "Time is up";

/** Names of the places in which things are said. */
export const notifications = "Notifications";
export const dismiss = "Dismiss";
export const liveChanges = "Live changes";
/** After the last of many changes. */
export const moreChanges = (count: number) =>
  plural(count, { one: "and # more change", other: "and # more changes" });
