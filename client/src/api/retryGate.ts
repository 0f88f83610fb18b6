import { backoff } from "@/lib/live/backoff";

/** The last failures of one call. */
interface Failures {
  /** How many in a row. */
  count: number;
  /** When it may be made again: milliseconds on this machine's clock. Infinity while it is being made. */
  until: number;
}

/** The window events that end all pauses: the user did something, or the network is back. */
const CHANGES = ["click", "popstate", "online"] as const;

/**
 * The one rule for asking again: a query whose last answer was a failure, of whatever status, waits before it is
 * sent again. The pause grows with each failure in a row (backoff), up to 30 s, and is at least what Retry-After
 * says. It ends at once when the person presses something or changes the page, when the network or the live
 * connection is back, and after a successful write. One gate serves one store.
 */
export class RetryGate {
  private readonly failures = new Map<string, Failures>();
  private readonly waiting = new Set<() => void>();

  constructor() {
    for (const change of CHANGES) globalThis.addEventListener?.(change, this.reset, true);
  }

  /** Resolves to true when this call may be made, to false when the signal has ended the wait. */
  async pass(key: string, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const known = this.failures.get(key);
      const left = known ? known.until - Date.now() : 0;
      if (signal.aborted) return false;
      if (left <= 0) {
        // Others that wait for the same call see the result of this one first.
        if (known) known.until = Number.POSITIVE_INFINITY;
        return true;
      }
      await this.wait(left, signal);
    }
  }

  /** The call has failed; `atLeast` is the server's Retry-After, in milliseconds. */
  failed(key: string, atLeast = 0): void {
    const count = this.failures.get(key)?.count ?? 0;
    const pause = Math.max(backoff(count, Math.random()), atLeast);
    this.failures.set(key, { count: count + 1, until: Date.now() + pause });
    this.wake();
  }

  /** The call has succeeded. */
  succeeded(key: string): void {
    if (this.failures.delete(key)) this.wake();
  }

  /** The call was aborted before its response: the next one waits as long as this one did. */
  gaveUp(key: string): void {
    const known = this.failures.get(key);
    if (!known || Number.isFinite(known.until)) return;
    known.until = Date.now() + backoff(known.count - 1, Math.random());
    this.wake();
  }

  /** Ends all pauses. */
  readonly reset = (): void => {
    this.failures.clear();
    this.wake();
  };

  private wake(): void {
    for (const end of [...this.waiting]) end();
  }

  private wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        this.waiting.delete(end);
        resolve();
      };
      // While the call is under way, there is no time to wait for but its end.
      const timer = Number.isFinite(ms) ? setTimeout(end, ms) : undefined;
      signal.addEventListener("abort", end);
      this.waiting.add(end);
    });
  }
}
