import { plural } from "./language";

/** The accessible name of the notice. */
export const label = "Live updates";
/** The notice by the status of the connection. */
export const offline = "You are offline. This page may be out of date.";
export const connecting = "Connecting to live updates";
export const reconnecting = "Live updates are interrupted. Reconnecting…";
export const stopped = "Live updates have stopped. Reload the page to restore them.";
export const reconnected = "Live updates are back. Everything is up to date.";

/** Read out after a live change; `name` is the name of the phone or user. */
export const booked = (name: string) => `${name} was just booked`;
export const released = (name: string) => `${name} is available again`;
export const added = (name: string) => `${name} was just listed`;
export const verified = "You are now a verified seller";
export const reported = (name: string) => `${name} was just reported`;
export const joined = (name: string) => `${name} has just joined`;
/** In place of an unknown name. */
export const unnamed = "An item";
/** In place of several announcements. */
export const phonesChanged = (count: number) =>
  plural(count, { one: "# phone changed", other: "# phones changed" });
export const updates = (count: number) => plural(count, { one: "# update", other: "# updates" });
