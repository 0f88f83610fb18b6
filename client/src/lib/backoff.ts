/** The longest delay, milliseconds. */
const MAX_DELAY_MS = 30_000;
/** The unit of the delays, milliseconds: the first is random up to this, each later one doubles it. */
const BASE_DELAY_MS = 2_000;

/**
 * The delay before attempt n (0 for the first), in milliseconds; `random` is 0 to 1. The first delay is random up to
 * `jitter`, so that clients that were disconnected together do not reconnect together. The later ones double up to the
 * maximum. Half of each is fixed, so that a server that is down is not called again at once.
 */
export function backoff(attempt: number, random: number, jitter = BASE_DELAY_MS): number {
  if (attempt === 0) return random * jitter;
  const delay = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** Math.min(attempt, 16));
  return delay / 2 + (random * delay) / 2;
}
