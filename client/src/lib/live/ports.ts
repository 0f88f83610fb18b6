import type { LiveEvent } from "./types";

/**
 * off: not started · connecting: first attempt · live: the server's hello has arrived · checking: the page may have
 * slept, and the server has been asked whether it is still there · restarting: the server closed the connection because
 * it restarts · reconnecting: waiting for or making another attempt · stopped: no more attempts.
 */
export type ConnectionStatus =
  | "off"
  | "connecting"
  | "live"
  | "checking"
  | "restarting"
  | "reconnecting"
  | "stopped";

/** The functions that the connection calls; app/live implements them. */
export interface ConnectionPorts {
  /** Opens a socket with these subprotocols. Its events are passed to onOpen, onMessage and onClose. */
  openSocket(protocols: string[]): void;
  /** Closes the current socket; none of its events is passed on after that. */
  closeSocket(): void;
  send(text: string): void;
  /** Applies events, oldest first; called at most every 250 ms, with a limited number. */
  applyEvents(events: LiveEvent[]): void;
  /** Clears the logged events of these topics (null: of all): later ones were missed, so these may be outdated. */
  clearEvents(topics: string[] | null): void;
  /** Refetches the lists of these topics; false when one failed. */
  refetchLists(topics: readonly string[]): Promise<boolean>;
  /** Refetches what was fetched without a position before these topics were confirmed; false when one failed. */
  refetchUnpositioned(topics: readonly string[]): Promise<boolean>;
  /** The server denied the subscription. */
  onDenied(topic: string): void;
  /** Gets a new access token; null when there is none. */
  renewToken(): Promise<string | null>;
  /** The server refused the handshake with this token: the session may have ended. */
  onHandshakeRefused(): void;
  /** The server refused the token of an open connection, for this reason: "password changed", for example. */
  onTokenRefused(reason: string): void;
  /** The account was deleted. */
  onAccountRemoved(): void;
  onStatus(status: ConnectionStatus): void;
  /** 0 to 1; Math.random by default. */
  random?(): number;
}
