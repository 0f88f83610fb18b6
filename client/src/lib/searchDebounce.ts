/** The time from the last keystroke to the search, milliseconds. */
export const SEARCH_DEBOUNCE_MS = 200;

/**
 * Writes the search to the address after the pause, unless the reader has gone to another screen by then: the next screen
 * loads while the one before is still rendered. `onLeft` is called then. Returns the timer.
 */
export function writeAfterPause(write: () => void, onLeft?: () => void): ReturnType<typeof setTimeout> {
  const { pathname } = window.location;
  return setTimeout(() => {
    if (window.location.pathname === pathname) write();
    else onLeft?.();
  }, SEARCH_DEBOUNCE_MS);
}
