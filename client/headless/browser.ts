import { WebSocket } from "ws";
import type { Socket, SocketListener } from "./environment";

/** The origin, the cookies and the network of one page. */
export class Browser {
  /** Called for each GET of the first page of a list that has a topic. */
  onListRequest: () => void = () => undefined;
  private readonly cookies = new Map<string, string>();
  private socket: WebSocket | null = null;
  private breakConnection: (() => void) | null = null;

  constructor(readonly origin: string) {}

  /** fetch with this browser's cookies. */
  readonly fetch = async (input: Request | string, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    if (request.method === "GET" && LIST_PATHS.test(pathname) && !searchParams.has("cursor"))
      this.onListRequest();
    const headers = new Headers(request.headers);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookie) headers.set("Cookie", cookie);
    const response = await fetch(new Request(request, { headers }));
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
      if (value === "" || /max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  };

  /** Opens a socket, and calls the listener until `drop` is called. */
  connect(protocols: string[], listener: SocketListener): Socket {
    const socket = new WebSocket(`${this.origin.replace(/^http/, "ws")}/live`, protocols, {
      perMessageDeflate: false,
    });
    let listening = true;
    const closed = (code: number) => {
      if (!listening) return;
      listening = false;
      listener.closed(code);
    };
    socket.on("open", () => listening && listener.opened());
    socket.on("message", (data) => listening && listener.frame(String(data)));
    socket.on("close", closed);
    socket.on("error", () => undefined); // "close" follows
    this.socket = socket;
    this.breakConnection = () => {
      socket.terminate();
      closed(1006);
    };
    return {
      send: (text) => socket.readyState === WebSocket.OPEN && socket.send(text),
      drop: () => {
        listening = false;
        socket.terminate();
      },
    };
  }

  /** Breaks the connection without a close frame. */
  disconnect(): void {
    this.breakConnection?.();
  }

  /** Simulates a suspended computer, which receives nothing. */
  suspend(): void {
    this.socket?.pause();
  }

  /** Simulates the end of the suspension, with or without the connection. */
  resume(keepConnection: boolean): void {
    if (keepConnection) this.socket?.resume();
    else this.breakConnection?.();
  }
}

const LIST_PATHS =
  /^\/(bookings|products|products\/(advertised|search)|categories\/.+|users\/(buyers|sellers)|reportedItems|threads|threads\/.+\/messages|offers)$/;
