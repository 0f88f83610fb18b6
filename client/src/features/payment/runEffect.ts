/** Runs an async function in an effect; the returned cleanup function aborts its signal. */
export function runEffect(run: (signal: AbortSignal) => Promise<void>): () => void {
  const controller = new AbortController();
  void run(controller.signal);
  return () => controller.abort();
}
