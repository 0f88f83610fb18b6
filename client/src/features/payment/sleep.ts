/**
 * Waits so many milliseconds, or less when the browser is online again.
 * False when the signal ended the wait: nobody is there any more.
 */
export function sleep(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve(!signal.aborted);
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}

/** Runs for as long as a screen is there; the result ends it. For an effect. */
export function whileMounted(run: (signal: AbortSignal) => Promise<void>): () => void {
  const leaving = new AbortController();
  void run(leaving.signal);
  return () => leaving.abort();
}
