import { backoff } from "@/lib/backoff";

/** Loads a module for React.lazy; a failed load is repeated after growing delays until it succeeds. */
export async function importWithRetry<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, backoff(attempt, Math.random())));
    }
  }
}
