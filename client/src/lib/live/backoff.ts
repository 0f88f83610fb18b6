/**
 * Clients that a node closes with 1012 because it restarts reconnect spread evenly over this time, milliseconds: the
 * other nodes do not get them all at once, and every screen is up to date within 5 s.
 */
export const RESTART_SPREAD_MS = 4_000;
/** The same for a connection that broke without a close frame: one client's network, or a killed node's thousands. */
export const BREAK_SPREAD_MS = 2_000;
/** The same for a client that was too slow (4408): no other client reconnects at the same time. */
export const SLOW_SPREAD_MS = 400;
/** The longest pause, milliseconds. */
const BACKOFF_MAX_MS = 30_000;
/** After a connection of this duration, milliseconds, the pauses start from the first one. */
export const STABLE_MS = 10_000;

/**
 * The pause before attempt n (0 for the first), in milliseconds; `random` is 0 to 1. The first pause is random up to
 * `spread`, so that clients that were cut off together do not return together. The later ones double up to the
 * longest, and half of each is fixed, so that a server that is down is not called again at once.
 */
export function backoff(attempt: number, random: number, spread = BREAK_SPREAD_MS): number {
  if (attempt === 0) return random * spread;
  const full = Math.min(BACKOFF_MAX_MS, BREAK_SPREAD_MS * 2 ** Math.min(attempt, 16));
  return full / 2 + (random * full) / 2;
}
