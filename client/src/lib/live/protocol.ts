import type { LiveEvent } from "./types";

/** A frame from the server, as contract section 5 lists them. */
export interface ServerFrame {
  /** First frame; `heartbeat` in seconds. */
  hello?: { session: string; heartbeat: number };
  /** In force, by topic: where its history stood. */
  subscribed?: Record<string, string>;
  denied?: string[];
  events?: LiveEvent[];
  /** History does not reach back to the position given: fetch again. */
  resync?: string[];
}

/** A frame to the server: at most 4 KB, at most 20 a second. */
export interface ClientFrame {
  /** Position held by topic, or "" for "from now". */
  subscribe?: Record<string, string>;
  unsubscribe?: string[];
  token?: string;
}

/** The subprotocol that is spoken here. */
export const PROTOCOL = "secondring.v1";

/** The subprotocols to offer: the token travels as one of them, never in the address. */
export function protocolsFor(token: string | null): string[] {
  return token ? [PROTOCOL, `bearer.${token}`] : [PROTOCOL];
}

/** Reads a frame; null for what is no JSON object. */
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
