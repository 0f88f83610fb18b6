/** Milliseconds after the last key until a search starts. */
export const TYPING_MS = 200;
