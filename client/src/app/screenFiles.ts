import { steadyNow } from "@/lib/serverTime";

/** The errors of screens whose chunk could not be loaded. */
const preloadErrors = new WeakSet<object>();

/** The page is not reloaded within this time after it was loaded, milliseconds: this prevents an endless loop. */
const MIN_PAGE_AGE_MS = 10_000;

/** Whether the error means that a screen's file could not be loaded. */
export const isFileMissing = (error: Error) => preloadErrors.has(error);

/** Reloads the page if the server can be reached. Otherwise returns false: the browser would show its own error page. */
export async function reloadIfReachable(): Promise<boolean> {
  try {
    await fetch("/healthz", { cache: "no-store" });
  } catch {
    return false;
  }
  window.location.reload();
  return true;
}

/** Listens for chunks that cannot be loaded. After a new release an old chunk no longer exists: a new page has it. */
export function watchScreenFiles(): void {
  window.addEventListener("vite:preloadError", ({ payload }) => {
    preloadErrors.add(payload);
    if (steadyNow() > MIN_PAGE_AGE_MS) void reloadIfReachable();
  });
}
