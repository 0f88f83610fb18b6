/** The errors of screens whose file could not be loaded. */
const failures = new WeakSet<object>();

/** After a page load, the milliseconds in which the page is not loaded again by itself: no endless loop. */
const SETTLED_MS = 10_000;

/** Whether the error means that a screen's file could not be loaded. */
export const isFileMissing = (error: Error) => failures.has(error);

/** Loads the page again once the server can be reached; false when it cannot: the browser would show its own error page. */
export async function reloadIfReachable(): Promise<boolean> {
  try {
    await fetch("/healthz", { cache: "no-store" });
  } catch {
    return false;
  }
  window.location.reload();
  return true;
}

/** Watches for screens that cannot be loaded. After a new release the file of a screen is gone: a new page has it. */
export function watchScreenFiles(): void {
  window.addEventListener("vite:preloadError", ({ payload }) => {
    failures.add(payload);
    if (performance.now() > SETTLED_MS) void reloadIfReachable();
  });
}
