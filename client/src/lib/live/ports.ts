import type { LiveEvent } from "./types";

/**
 * off: not started · connecting: first attempt · live: greeted by the server · restarting: the server closed the
 * connection because it restarts · reconnecting: waiting for or making another attempt · stopped: no more attempts.
 */
export type ConnectionStatus = "off" | "connecting" | "live" | "restarting" | "reconnecting" | "stopped";

/** What the connection calls; app/live implements it. */
export interface ConnectionPorts {
  /** Opens a socket with these subprotocols. Its events are passed to opened, frame and closed. */
  connect(protocols: string[]): void;
  /** Closes the present socket; none of its events is passed on after that. */
  disconnect(): void;
  send(text: string): void;
  /** Applies events, oldest first; called at most every 250 ms, with a limited number. */
  apply(events: LiveEvent[]): void;
  /** Events of these topics (null: of all) were missed: what earlier ones said may be outdated. */
  forget(topics: string[] | null): void;
  /** Refetches the lists of these topics; false when one failed. */
  refetch(topics: readonly string[]): Promise<boolean>;
  /**
   * Called when topics are in force: refetches what was fetched without a position before that. False when one failed.
   */
  subscribed(topics: readonly string[]): Promise<boolean>;
  denied(topic: string): void;
  /** A new access token; null when there is none. */
  renewToken(): Promise<string | null>;
  /** The server refused the handshake with this token: the session may have ended. */
  handshakeRefused(): void;
  /** The account was deleted. */
  accountRemoved(): void;
  status(status: ConnectionStatus): void;
  /** 0 to 1; Math.random by default. */
  random?(): number;
}
