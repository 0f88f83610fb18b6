import { backoff } from "@/lib/backoff";
import { steadyNow } from "@/lib/serverTime";

/** The failures of one query since its last success. */
interface Failures {
  /** How many in a row. */
  count: number;
  /** When it may be sent again: milliseconds of the steady time. Infinity while it is being sent. */
  retryAt: number;
}

/** The window events that end all delays: the user did something, or the network is back. */
const RESET_EVENTS = ["click", "popstate", "online"] as const;

/**
 * Delays repeated queries. A query that failed, with any status, is delayed before it is sent again. The delay grows
 * with each failure in a row (backoff), up to 30 s, and is at least the server's Retry-After. It ends at once when the
 * user clicks or navigates, when the network or the live connection is back, and after a successful mutation. Each
 * store has one.
 */
export class RequestBackoff {
  private readonly failuresByKey = new Map<string, Failures>();
  private readonly waiters = new Set<() => void>();

  constructor() {
    for (const type of RESET_EVENTS) globalThis.addEventListener?.(type, this.reset, true);
  }

  /** Resolves to true when this query may be sent, to false when the signal has aborted the wait. */
  async waitForTurn(key: string, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const known = this.failuresByKey.get(key);
      const delay = known ? known.retryAt - steadyNow() : 0;
      if (signal.aborted) return false;
      if (delay <= 0) {
        // Others that wait for the same query get the result of this one first.
        if (known) known.retryAt = Number.POSITIVE_INFINITY;
        return true;
      }
      await this.wait(delay, signal);
    }
  }

  /** The query failed; `retryAfterMs` is the server's Retry-After, in milliseconds. */
  recordFailure(key: string, retryAfterMs = 0): void {
    const count = this.failuresByKey.get(key)?.count ?? 0;
    const delay = Math.max(backoff(count, Math.random()), retryAfterMs);
    this.failuresByKey.set(key, { count: count + 1, retryAt: steadyNow() + delay });
    this.notify();
  }

  /** The query succeeded. */
  recordSuccess(key: string): void {
    if (this.failuresByKey.delete(key)) this.notify();
  }

  /** The query was aborted before its response: the next one waits as long as this one did. */
  recordAbort(key: string): void {
    const known = this.failuresByKey.get(key);
    if (!known || Number.isFinite(known.retryAt)) return;
    known.retryAt = steadyNow() + backoff(known.count - 1, Math.random());
    this.notify();
  }

  /** Ends all delays. */
  readonly reset = (): void => {
    this.failuresByKey.clear();
    this.notify();
  };

  private notify(): void {
    for (const end of [...this.waiters]) end();
  }

  private wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        this.waiters.delete(end);
        resolve();
      };
      // While the query is being sent, only its end is waited for.
      const timer = Number.isFinite(ms) ? setTimeout(end, ms) : undefined;
      signal.addEventListener("abort", end);
      this.waiters.add(end);
    });
  }
}
