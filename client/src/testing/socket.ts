import { vi } from "vitest";
import type { LiveEvent } from "@/lib/live";

/** A fake WebSocket; the test acts as the server. */
export class FakeSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  /** All sockets of this test, oldest first. */
  static all: FakeSocket[] = [];

  readyState = FakeSocket.CONNECTING;
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  /** The frames that the client has sent, parsed. */
  readonly sent: Record<string, unknown>[] = [];

  constructor(
    readonly url: string,
    readonly protocols: string[],
  ) {
    super();
    FakeSocket.all.push(this);
  }

  /** The socket in use, which is the latest one. */
  static get latest(): FakeSocket {
    const socket = FakeSocket.all.at(-1);
    if (!socket) throw new Error("No socket has been opened");
    return socket;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.readyState = FakeSocket.CLOSED;
  }

  /** The server accepts the connection and sends its hello. */
  accept(heartbeat = 25): void {
    this.open();
    this.receive({ hello: { session: "test", heartbeat } });
  }

  /** The server accepts the connection. */
  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.(new Event("open"));
  }

  /** The server sends a frame. */
  receive(frame: object): void {
    this.onmessage?.(new MessageEvent("message", { data: JSON.stringify(frame) }));
  }

  /** The server sends events in one frame. */
  receiveEvents(...events: LiveEvent[]): void {
    this.receive({ events });
  }

  /** The server closes the connection, or it breaks (1006). */
  closeByServer(code = 1006, reason = ""): void {
    this.readyState = FakeSocket.CLOSED;
    this.onclose?.(new CloseEvent("close", { code, reason }));
  }

  /** The requested positions, one record per frame. */
  get subscribeFrames(): unknown[] {
    return this.sent.flatMap((frame) => (frame.subscribe ? [frame.subscribe] : []));
  }
}

/** Replaces the browser's WebSocket until the test ends. */
export function fakeSockets(): typeof FakeSocket {
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  return FakeSocket;
}
