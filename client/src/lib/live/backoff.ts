/** The first wait before coming back, in milliseconds; it doubles with each failure. */
export const BACKOFF_BASE_MS = 500;
/** The longest wait. */
export const BACKOFF_MAX_MS = 30_000;
/** A restarting server's clients come back spread over this time. */
export const RESTART_SPREAD_MS = 3_000;
/** A connection that held this long starts the doubling anew. */
export const STABLE_MS = 10_000;

/**
 * How long to wait before attempt n (0 for the first), in milliseconds: half of
 * it fixed, half by chance, so that clients cut off together do not come back together.
 */
export function backoff(attempt: number, random: number): number {
  const full = Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** Math.min(attempt, 16));
  return full / 2 + (random * full) / 2;
}
