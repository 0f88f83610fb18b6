/** Why a session ended for its user. */
export const sessionEnded = "Your session has ended. Please log in again.";
export const accountRemoved = "Your account has been removed.";
export const accountChanged = "Your account has changed. Please log in again.";
