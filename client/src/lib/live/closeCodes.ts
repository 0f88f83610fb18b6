import { DISCONNECT_JITTER_MS, RESTART_JITTER_MS, SLOW_CLIENT_JITTER_MS } from "./backoff";
import type { ConnectionStatus } from "./ports";

/** What the client does after the server has closed the connection. */
export interface CloseRule {
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
