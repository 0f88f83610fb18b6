export { secondFactor as title } from "./screenNames";

export const lead =
  "When you log in, you enter your password and a code from an authenticator app on your phone.";
export const isOn = "When you log in, you enter a code from your authenticator app.";
export const setUp = "Set up two-step login";
export const switchOn = "Switch on";
export const switchOff = "Switch off";
export const next = "Continue";

export const scan = "Scan this QR code with your authenticator app.";
export const qrAlt = "QR code for your authenticator app";
/** The secret follows. */
export const typeSecret = "Or type this key into the app:";
export const code = "Code";
export const codeHint = "The six digits that the app shows";
export const codeRequired = "The code is required";

export const on = "Two-step login is on. Your other devices have been signed out.";
export const off = "Two-step login is off.";
export const recoveryCodes = "Recovery codes";
export const keepCodes =
  "Keep these codes where you can reach them without your phone. Each works once in place of a code from the app. They are not shown again.";
export const kept = "I've saved them";

/** Shown to an admin who may not act without it. */
export const requiredTitle = "Set up two-step login";
export const required = "Admins need two-step login. Set it up to continue.";
