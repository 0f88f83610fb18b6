import type { ConnectionStatus } from "./ports";

/**
 * Clients that a node closes with 1012 because it restarts reconnect spread evenly over this time, milliseconds. The
 * other nodes then do not get all of them at once, and every screen is up to date within 5 s.
 */
export const RESTART_JITTER_MS = 4_000;
/** The same for a connection that broke without a close frame: one client's network, or all clients of a killed node. */
export const DISCONNECT_JITTER_MS = 2_000;
/** The same for a client that was too slow (4408): no other client reconnects at the same time. */
const SLOW_CLIENT_JITTER_MS = 400;

/** What the client does after the server has closed the connection. */
interface CloseRule {
  /** The first delay is random up to this, milliseconds; null: no further attempt. */
  jitterMs: number | null;
  /** The status during the delay. */
  status: ConnectionStatus;
  /** The token is renewed before the next attempt. */
  mustRenewToken?: boolean;
  /** The account was deleted. */
  isAccountRemoved?: boolean;
}

const STOP: CloseRule = { jitterMs: null, status: "stopped" };

/** The close codes of hub/protocol.go; 1008 and 1009 mean that the client broke the protocol. */
const RULES: Record<number, CloseRule> = {
  1008: STOP,
  1009: STOP,
  1012: { jitterMs: RESTART_JITTER_MS, status: "restarting" },
  4401: { jitterMs: 0, status: "reconnecting", mustRenewToken: true },
  4403: { ...STOP, isAccountRemoved: true },
  4408: { jitterMs: SLOW_CLIENT_JITTER_MS, status: "reconnecting" },
};

/** The rule for a close code; any other code is a broken connection. */
export function closeRule(code: number): CloseRule {
  return RULES[code] ?? { jitterMs: DISCONNECT_JITTER_MS, status: "reconnecting" };
}
