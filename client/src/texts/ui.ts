import { number, plural } from "./language";

export const loading = "Loading";
export const close = "Close";
export const cancel = "Cancel";
/** The button of a dialog that confirms a deletion. */
export const deleteLabel = "Delete";
export const tryAgain = "Try again";
/** In place of a missing photo. */
export const noPhoto = "No photo";

/** The number of shown rows, with and without the total. */
export const showingOf = (shown: number, all: number) => `Showing ${number(shown)} of ${number(all)}`;
export const showing = (shown: number) => `Showing ${number(shown)}`;
export const loadMore = "Load more";
/** Moves new entries from the end to their places; `Short` for small screens. */
export const showNew = (count: number) => plural(count, { one: "Show # new", other: "Show # new" });
export const showNewShort = (count: number) => plural(count, { one: "# new", other: "# new" });
/** Removes the empty places of removed entries. */
export const closeGaps = "Close the gaps";

/** The time left, and the word after it. */
export const days = (days: number) => `${days} days`;
export const hours = (hours: number, minutes: number) => `${hours} h ${minutes} min`;
export const minutes = (minutes: number) => `${minutes} min`;
export const seconds = (seconds: number) => `${seconds} s`;
export const left = " left";
export const timeUp = "Time is up";

/** The accessible names of live regions. */
export const messages = "Messages";
export const dismiss = "Dismiss";
export const liveChanges = "Live changes";
/** After the last of many changes. */
export const moreChanges = (count: number) =>
  plural(count, { one: "and # more change", other: "and # more changes" });

/** The name of the links to the screens above. */
export const breadcrumb = "Breadcrumb";

/** In the demo, where email is not sent but shown. */
export const demoEmail = "This is the demo: <link>the email is shown here</link>.";
