/** The quiet sign at the page's edge, by how the live connection stands. */
export const offline = "You are offline. What you see may be old.";
export const connecting = "Live updates are on their way";
export const away = "Live updates are away, trying again";
export const stopped = "Live updates have stopped: reload the page to get them back";
export const back = "Live updates are back, all is up to date";
