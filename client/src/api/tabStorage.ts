/**
 * A value that is kept when this tab is reloaded, and deleted when it is closed. If storage is disabled in the browser,
 * reading returns null, and writing does nothing.
 */
function tabStorage(key: string) {
  return {
    /** The stored value, which may be of any type; null for none. */
    read(): unknown {
      try {
        return JSON.parse(sessionStorage.getItem(key) ?? "null");
      } catch {
        return null;
      }
    },
    /** Null deletes the value. */
    write(value: object | string | null): void {
      try {
        if (value) sessionStorage.setItem(key, JSON.stringify(value));
        else sessionStorage.removeItem(key);
      } catch {
        // The form works without a stored value.
      }
    },
  };
}

/** Values that are kept like this, each by its own key. */
function tabRecords(name: string) {
  const storage = tabStorage(name);
  const readAll = () => (storage.read() ?? {}) as Record<string, unknown>;
  return {
    /** The stored value, which may be of any type; undefined for none. */
    read: (key: string): unknown => readAll()[key],
    /** Null deletes the value. */
    write(key: string, value: object | null): void {
      const { [key]: _, ...others } = readAll();
      const all = value ? { ...others, [key]: value } : others;
      storage.write(Object.keys(all).length === 0 ? null : all);
    },
    clear: () => storage.write(null),
  };
}

/** Forms of new phones that have not been sent, by what they are like. */
export const newDrafts = tabRecords("formDraft");
/** Unsaved changes of listed phones, by the phone's _id. */
export const editDrafts = tabRecords("editDrafts");
/** What was written about paid orders and not sent, by the order's _id and the step. */
export const orderDrafts = tabRecords("orderDrafts");
/** What an admin was about to decide and has not sent, by the case's _id. */
export const caseDrafts = tabRecords("caseDrafts");
/** The _id of the order whose notice of the person's turn was dismissed. */
export const dismissedTurn = tabStorage("turn");
/** Messages that were not sent, by the thread's _id. */
export const unsentMessages = tabRecords("messages");
/** The values of a dialog that was open when its user's session ended. */
export const dialogDraft = tabStorage("draft");
