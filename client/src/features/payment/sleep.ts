/** Waits for `ms` milliseconds, or until the browser is online again. Resolves to false when the signal aborts. */
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

/** Runs an async function in an effect; the returned cleanup function aborts its signal. */
export function runEffect(run: (signal: AbortSignal) => Promise<void>): () => void {
  const controller = new AbortController();
  void run(controller.signal);
  return () => controller.abort();
}
