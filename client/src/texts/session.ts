/** Why a session ended for its user. */
export const sessionEnded = "Your session has ended. Please log in again.";
export const accountRemoved = "Your account has been removed.";
export const accountChanged = "Your account has changed. Please log in again.";

/** After a sign-out that did not reach the server. */
export const serverNotTold =
  "You are logged out on this device, but we couldn't reach the server. Please try again later.";
