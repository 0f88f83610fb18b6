/** Under which a tab keeps a form that has not been sent; it goes with the tab. */
const KEY = "formDraft";

/** A form that has not been sent, across a reload. Storage can be switched off in the browser: then nothing is kept. */
export const drafts = {
  /** What was kept, whatever it is; null where there is nothing. */
  read(): unknown {
    try {
      return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    } catch {
      return null;
    }
  },
  /** Keeps a form; null forgets it. */
  write(draft: object | null): void {
    try {
      if (draft) sessionStorage.setItem(KEY, JSON.stringify(draft));
      else sessionStorage.removeItem(KEY);
    } catch {
      // Kept or not, the form goes on.
    }
  },
};
