import type { LiveEvent } from "./types";

/** A frame from the server, as hub/protocol.go writes it. */
export interface ServerFrame {
  /** First frame; `heartbeat` in seconds. */
  hello?: { session: string; heartbeat: number };
  /** The topics that are subscribed, with the position of each. */
  subscribed?: Record<string, string>;
  denied?: string[];
  events?: LiveEvent[];
  /** The server has no events from the requested position on: the lists of these topics must be refetched. */
  resync?: string[];
}

/** A frame to the server: at most 4 KB, at most 20 a second. */
export interface ClientFrame {
  /** The position to resume from, by topic; "" for "from now". */
  subscribe?: Record<string, string>;
  unsubscribe?: string[];
  token?: string;
}

/** The subprotocol of this client. */
const PROTOCOL = "secondring.v1";

/** The subprotocols to offer. The token is sent as one of them, and never in the URL. */
export function protocolsFor(token: string | null): string[] {
  return token ? [PROTOCOL, `bearer.${token}`] : [PROTOCOL];
}

/** Parses a frame; null for anything but a JSON object. */
export function parseFrame(text: string): ServerFrame | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as ServerFrame)
      : null;
  } catch {
    return null;
  }
}
