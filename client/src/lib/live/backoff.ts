/**
 * Clients that a node closes with 1012 because it restarts reconnect spread evenly over this time, milliseconds. The
 * other nodes then do not get all of them at once, and every screen is up to date within 5 s.
 */
export const RESTART_JITTER_MS = 4_000;
/** The same for a connection that broke without a close frame: one client's network, or all clients of a killed node. */
export const DISCONNECT_JITTER_MS = 2_000;
/** The same for a client that was too slow (4408): no other client reconnects at the same time. */
export const SLOW_CLIENT_JITTER_MS = 400;
/** The longest delay, milliseconds. */
const MAX_DELAY_MS = 30_000;
/** After a connection of this duration, milliseconds, the delays start from the first one again. */
export const STABLE_CONNECTION_MS = 10_000;

/**
 * The delay before attempt n (0 for the first), in milliseconds; `random` is 0 to 1. The first delay is random up to
 * `jitter`, so that clients that were disconnected together do not reconnect together. The later ones double up to the
 * maximum. Half of each is fixed, so that a server that is down is not called again at once.
 */
export function backoff(attempt: number, random: number, jitter = DISCONNECT_JITTER_MS): number {
  if (attempt === 0) return random * jitter;
  const delay = Math.min(MAX_DELAY_MS, DISCONNECT_JITTER_MS * 2 ** Math.min(attempt, 16));
  return delay / 2 + (random * delay) / 2;
}
