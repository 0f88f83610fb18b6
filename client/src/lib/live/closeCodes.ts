import { BREAK_SPREAD_MS, RESTART_SPREAD_MS, SLOW_SPREAD_MS } from "./backoff";
import type { ConnectionStatus } from "./ports";

/** What the client does after the server has closed the connection. */
export interface CloseRule {
  /** The first pause is anything up to this, milliseconds; null: no further attempt. */
  spread: number | null;
  /** The status during the pause. */
  status: ConnectionStatus;
  /** The token is renewed before the next attempt. */
  renewsToken?: boolean;
  /** The account was deleted. */
  isAccountRemoved?: boolean;
}

const STOP: CloseRule = { spread: null, status: "stopped" };

/** The close codes of contract section 5; 1008 and 1009 mean that the client broke the protocol. */
const RULES: Record<number, CloseRule> = {
  1008: STOP,
  1009: STOP,
  1012: { spread: RESTART_SPREAD_MS, status: "restarting" },
  4401: { spread: 0, status: "reconnecting", renewsToken: true },
  4403: { ...STOP, isAccountRemoved: true },
  4408: { spread: SLOW_SPREAD_MS, status: "reconnecting" },
};

/** The rule for a close code; any other code is a broken connection. */
export function closeRule(code: number): CloseRule {
  return RULES[code] ?? { spread: BREAK_SPREAD_MS, status: "reconnecting" };
}
