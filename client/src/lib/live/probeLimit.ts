/** After the first probe the next one is allowed this much later, milliseconds; the pause doubles with each probe. */
const PAUSE_MS = 15_000;
/** The longest pause, milliseconds; after twice as long without a probe the count starts again. */
const PAUSE_MAX_MS = 300_000;

/** Limits how often failed calls may replace a live connection, so that one call that always fails does not do so each time. */
export class ProbeLimit {
  private count = 0;
  private lastAt = 0;

  /** Whether a probe is allowed now, milliseconds since 1970; counts it if so. */
  take(now: number): boolean {
    const since = now - this.lastAt;
    if (since > 2 * PAUSE_MAX_MS) this.count = 0;
    if (this.count > 0 && since < Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** (this.count - 1))) return false;
    this.count += 1;
    this.lastAt = now;
    return true;
  }
}
