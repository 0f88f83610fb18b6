/** The time from the last keystroke to the search, milliseconds. */
export const SEARCH_DEBOUNCE_MS = 200;
