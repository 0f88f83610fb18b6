/** A WebSocket that the host opened for a page. */
export interface Socket {
  send(text: string): void;
  /** Closes it without further events. */
  drop(): void;
}

/** The listeners of a socket. */
export interface SocketListener {
  opened(): void;
  frame(text: string): void;
  closed(code: number): void;
}

/** The functions that the host provides to a page, besides the globals of its bundle. */
export interface Environment {
  /** The number of the client. */
  client: number;
  connect(protocols: string[], listener: SocketListener): Socket;
  /** A random number from 0 to 1. */
  random(): number;
  /** Confirms a payment at the card provider's sandbox, as its script in the page would. Returns the HTTP status. */
  confirm(intent: string, secret: string): Promise<number>;
  /** The session was ended by the server, with the message that the user saw. */
  signedOut(reason: string): void;
}

/** Random numbers from 0 to 1. They come from the Go test, so that its seed determines what every client does. */
export type RandomNumbers = readonly number[];

/** The element that a random number from 0 to 1 selects; undefined for an empty list. */
export function pick<T>(all: readonly T[], random = 0): T | undefined {
  return all[Math.min(all.length - 1, Math.floor(random * all.length))];
}

/** The result of an action: the HTTP status, 0 for no response, null if the action was not possible. */
export interface ActionResult {
  status: number | null;
  code?: string;
  /** The email address of the user whom the action deleted. */
  email?: string;
  /** The message that the action has sent. */
  sent?: SentMessage;
}

/** A message that the server has accepted. */
export interface SentMessage {
  threadID: string;
  text: string;
}
