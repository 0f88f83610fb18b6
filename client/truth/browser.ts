import { WebSocket } from "ws";
import type { Socket, SocketListener } from "./environment";

/** What a page finds around it in a browser: its address, its cookies, its network. One for each. */
export class Browser {
  /** Told of each GET of a list that has a topic; its further pages are not counted. */
  asks: () => void = () => undefined;
  private readonly cookies = new Map<string, string>();
  private socket: WebSocket | null = null;
  private lost: (() => void) | null = null;

  constructor(readonly origin: string) {}

  /** fetch with this browser's cookies. */
  readonly fetch = async (input: Request | string, init?: RequestInit): Promise<Response> => {
    const asked = new Request(input, init);
    const { pathname, searchParams } = new URL(asked.url);
    if (asked.method === "GET" && LISTS.test(pathname) && !searchParams.has("cursor")) this.asks();
    const headers = new Headers(asked.headers);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookie) headers.set("Cookie", cookie);
    const answer = await fetch(new Request(asked, { headers }));
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
      if (value === "" || /max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  };

  /** Opens a socket, and tells of its life until it is dropped. */
  connect(protocols: string[], ears: SocketListener): Socket {
    const socket = new WebSocket(`${this.origin.replace(/^http/, "ws")}/live`, protocols, {
      perMessageDeflate: false,
    });
    let heard = true;
    const closed = (code: number) => {
      if (!heard) return;
      heard = false;
      ears.closed(code);
    };
    socket.on("open", () => heard && ears.opened());
    socket.on("message", (data) => heard && ears.frame(String(data)));
    socket.on("close", closed);
    socket.on("error", () => undefined); // "close" follows
    this.socket = socket;
    this.lost = () => {
      socket.terminate();
      closed(1006);
    };
    return {
      send: (text) => socket.readyState === WebSocket.OPEN && socket.send(text),
      drop: () => {
        heard = false;
        socket.terminate();
      },
    };
  }

  /** The connection breaks without a word. */
  cut(): void {
    this.lost?.();
  }

  /** The computer sleeps: whatever comes waits outside. */
  sleep(): void {
    this.socket?.pause();
  }

  /** It wakes; whether its connection has lasted is chance. */
  wake(hasLasted: boolean): void {
    if (hasLasted) this.socket?.resume();
    else this.lost?.();
  }
}

const LISTS =
  /^\/(bookings|products|products\/(advertised|search)|categories\/.+|users\/(buyers|sellers)|reportedItems)$/;
