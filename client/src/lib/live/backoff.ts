/**
 * Whom a node sends away because it is about to restart (1012) come back spread evenly over this time,
 * milliseconds: no herd for the nodes that stay, and every screen is true again within 5 s.
 */
export const RESTART_SPREAD_MS = 4_000;
/** The same where a connection broke without a word: it may be one person's, or a killed node's thousands. */
export const BREAK_SPREAD_MS = 2_000;
/** The same after having been too slow: that is nobody's fault but one's own. */
export const SLOW_SPREAD_MS = 400;
/** The longest wait. */
export const BACKOFF_MAX_MS = 30_000;
/** A connection that held this long starts the doubling anew. */
export const STABLE_MS = 10_000;

/**
 * How long to wait before attempt n (0 for the first), in milliseconds; `random` is 0 to 1. The first wait is
 * left to chance alone, so that clients cut off together do not come back together. Of the later ones, which
 * double up to the longest, half is fixed: a server that is away must not be asked at once, again and again.
 */
export function backoff(attempt: number, random: number): number {
  if (attempt === 0) return random * BREAK_SPREAD_MS;
  const full = Math.min(BACKOFF_MAX_MS, BREAK_SPREAD_MS * 2 ** Math.min(attempt, 16));
  return full / 2 + (random * full) / 2;
}
