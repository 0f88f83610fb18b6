/**
 * Local storage that may be switched off in the browser: reading then finds
 * nothing, and writing does nothing.
 */
export const safeLocalStorage = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  /** Null removes. */
  set(key: string, value: string | null): void {
    try {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // Nothing can be kept; every reader copes with nothing.
    }
  },
};
