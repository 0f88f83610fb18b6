/** The time between the first two probes, milliseconds; it doubles with each further probe. */
const MIN_INTERVAL_MS = 15_000;
/** The longest interval, milliseconds; after twice as long without a probe the count starts again. */
const MAX_INTERVAL_MS = 300_000;

/** Limits how often failed calls may replace a live connection: a call that always fails must not do so each time. */
export class ProbeLimit {
  private count = 0;
  private lastAt = 0;

  /** Whether a probe is allowed at this time, milliseconds since 1970; counts it if so. */
  allow(now: number): boolean {
    const elapsed = now - this.lastAt;
    if (elapsed > 2 * MAX_INTERVAL_MS) this.count = 0;
    const interval = Math.min(MAX_INTERVAL_MS, MIN_INTERVAL_MS * 2 ** (this.count - 1));
    if (this.count > 0 && elapsed < interval) return false;
    this.count += 1;
    this.lastAt = now;
    return true;
  }
}
