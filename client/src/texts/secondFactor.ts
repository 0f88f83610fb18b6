export { secondFactor as title } from "./screenNames";

export const lead = "With an authenticator app, a login takes your password and a code from your telephone.";
export const isOn = "Your login takes a code from your authenticator app.";
export const setUp = "Set up two-step login";
export const switchOn = "Switch on";
export const switchOff = "Switch off";
export const next = "Continue";

export const scan = "Scan this picture with your authenticator app.";
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
  "Keep these recovery codes where you find them without your telephone. Each one works once in place of a code from the app. They are not shown again.";
export const kept = "I have kept them";

/** Shown to an admin who may not act without it. */
export const requiredTitle = "Set up two-step login";
export const required = "Admins of this shop log in with two steps. Set yours up to continue.";
