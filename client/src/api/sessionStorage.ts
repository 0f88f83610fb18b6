/**
 * Something that this tab keeps across a reload, and no longer than the tab. Storage can be switched off in
 * the browser: reading then finds nothing, and writing does nothing.
 */
function tabStorage(key: string) {
  return {
    /** What was kept, whatever it is; null where there is nothing. */
    read(): unknown {
      try {
        return JSON.parse(sessionStorage.getItem(key) ?? "null");
      } catch {
        return null;
      }
    },
    /** Null forgets it. */
    write(value: object | null): void {
      try {
        if (value) sessionStorage.setItem(key, JSON.stringify(value));
        else sessionStorage.removeItem(key);
      } catch {
        // Kept or not, the form goes on.
      }
    },
  };
}

/** A form that has not been sent. */
export const formDraft = tabStorage("formDraft");
/** A dialog in which somebody was typing when their session ended. */
export const dialogDraft = tabStorage("draft");
