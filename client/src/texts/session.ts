/** Why a session ended for its user. */
export const sessionEnded = "Your session has ended. Please log in again.";
export const accountRemoved = "Your account has been deleted.";
export const accountChanged = "Your account has changed. Please log in again.";

/** Why this window's session ended, on the login. */
export const passwordChanged = "You were signed out because the password of your account was changed.";
export const emailChanged = "You were signed out because the email of your account was changed.";
export const secondFactorOn = "You were signed out because two-step login was switched on.";
export const secondFactorOff = "You were signed out because two-step login was switched off.";
export const googleChanged =
  "You were signed out because a Google account was linked to your account or unlinked from it.";
export const signedOutElsewhere = "You were signed out from another device.";

/** After a sign-out that did not reach the server. */
export const serverNotTold =
  "You are signed out on this device, but we couldn't reach the server. Please try again later.";
