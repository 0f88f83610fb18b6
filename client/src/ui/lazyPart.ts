import { type ComponentType, lazy } from "react";
import { backoff } from "@/lib/backoff";

/** Loads a module whose default export is a component. */
type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A file that could not be loaded. */
interface MissingFile {
  /** Tries again at once. */
  retry: () => void;
  error: Error;
}

const missing = new Set<MissingFile>();
const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};

/** The files of screens that could not be loaded; `subscribe` and `error` are for useSyncExternalStore. */
export const missingFiles = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  /** Why the first of them could not be loaded; undefined if none is missing. */
  error: (): Error | undefined => missing.values().next().value?.error,
  /** Tries at once to load them. */
  retry(): void {
    for (const file of missing) file.retry();
  },
};

/** Resolves after a delay that grows with each attempt, when the browser is online again, or at a call of `file.retry`. */
function nextAttempt(file: MissingFile, attempt: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, backoff(attempt, Math.random()));
    window.addEventListener("online", end);
    file.retry = end;
  });
}

/** Repeats a failed load until it succeeds. */
async function loadWithRetry<T>(load: () => Promise<T>, isReported: boolean): Promise<T> {
  const file: MissingFile = { retry: () => undefined, error: new Error() };
  for (let attempt = 0; ; attempt += 1) {
    try {
      const loaded = await load();
      if (missing.delete(file)) changed();
      return loaded;
    } catch (error) {
      if (isReported && attempt === 0) {
        // The browser's message ends with the URL of the file.
        file.error = new Error(String((error as Error).message).replace(/:? *https?:\S+$/, ""));
        missing.add(file);
        changed();
      }
      await nextAttempt(file, attempt);
    }
  }
}

/** A part of a screen in a file of its own. While that cannot be loaded, the part is absent, and nothing says so. */
export const lazyPart = <Props>(load: Load<Props>) => lazy(() => loadWithRetry(load, false));

/**
 * A screen, or what a press of a button opens, in a file of its own. While that cannot be loaded, the router keeps the
 * screen before it, and MissingFiles (app/layout) says so.
 */
export const lazyScreen = <Props>(load: Load<Props>) => lazy(() => loadWithRetry(load, true));
