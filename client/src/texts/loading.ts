/** Shown if a response takes long. */
export const slow = "This is taking longer than usual.";
export const tryAgain = "Try again";
export const loading = "Loading";
