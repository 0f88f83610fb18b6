/** Messages for errors without a message of the server. */
export const unreachable = "The server can't be reached. Check your connection and try again.";
/** The device is offline: the call was not sent. Of a write, and of a read. */
export const offline = "You're offline. Nothing was sent.";
export const offlineRead = "You're offline. Check your connection and try again.";
export const serverError = "Something went wrong on our side. Please try again.";
