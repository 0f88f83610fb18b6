import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Node } from "./node";

/** Milliseconds between two readiness checks of each node. */
const POLL_MS = 200;

/**
 * A round-robin load balancer for requests and sockets. It tries the next node only when the connection is refused;
 * a request that reached a node is never repeated.
 */
export class LoadBalancer {
  private ready: Node[] = [];
  private nextIndex = 0;
  private readonly sockets = new Map<Socket, Node>();
  private readonly rules: { path: RegExp; node: Node }[] = [];
  private readonly readinessTimer: NodeJS.Timeout;

  private constructor(
    /** Its URL for browsers. */
    readonly url: string,
    private readonly nodes: readonly Node[],
    private readonly server: Server,
  ) {
    server.on("request", (call, answer) => void this.forward(call, answer, this.candidates(call.url)));
    server.on("upgrade", (call, socket, head) =>
      this.connectSocket(call, socket as Socket, head, this.candidates(call.url)),
    );
    this.readinessTimer = setInterval(() => void this.checkReadiness(), POLL_MS);
  }

  /** Opens one on this port. */
  static async open(port: number, nodes: readonly Node[]): Promise<LoadBalancer> {
    const server = createServer();
    const balancer = new LoadBalancer(`http://localhost:${port}`, nodes, server);
    await balancer.checkReadiness();
    await new Promise<void>((done) => server.listen(port, "localhost", done));
    return balancer;
  }

  /** Sends requests whose path matches to one node from now on. */
  routeTo(path: RegExp, node: Node): void {
    this.rules.unshift({ path, node });
  }

  /** The node of each open socket. */
  socketNodes(): Node[] {
    return [...this.sockets.values()];
  }

  async close(): Promise<void> {
    clearInterval(this.readinessTimer);
    for (const line of this.sockets.keys()) line.destroy();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async checkReadiness(): Promise<void> {
    const isReady = await Promise.all(this.nodes.map((node) => node.isReady()));
    this.ready = this.nodes.filter((_, n) => isReady[n]);
  }

  /** The ready nodes in the order in which they are tried. */
  private candidates(path = "/"): Node[] {
    this.nextIndex += 1;
    const at = this.nextIndex % Math.max(1, this.ready.length);
    const all = [...this.ready.slice(at), ...this.ready.slice(0, at)];
    const rule = this.rules.find((one) => one.path.test(path));
    return rule ? [rule.node, ...all] : all;
  }

  private async forward(call: IncomingMessage, answer: ServerResponse, nodes: Node[]): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of call) chunks.push(chunk as Buffer);
    this.tryForward(call, Buffer.concat(chunks), answer, nodes);
  }

  private tryForward(call: IncomingMessage, body: Buffer, answer: ServerResponse, nodes: Node[]): void {
    const [node, ...others] = nodes;
    if (!node) {
      answer.writeHead(503, { "Retry-After": "1" }).end();
      return;
    }
    const { method, headers } = call;
    const upstreamRequest = request(`${node.url}${call.url}`, { method, headers, agent: false }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
      got.once("error", () => answer.destroy());
    });
    upstreamRequest.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") this.tryForward(call, body, answer, others);
      else answer.destroy();
    });
    upstreamRequest.end(body);
  }

  private connectSocket(call: IncomingMessage, browser: Socket, head: Buffer, nodes: Node[]): void {
    const [node, ...others] = nodes;
    if (!node) {
      browser.end("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    const { hostname, port } = new URL(node.url);
    const line = connect(Number(port), hostname);
    line.once("connect", () => {
      this.sockets.set(line, node);
      const headers = call.rawHeaders.flatMap((name, n) =>
        n % 2 ? [] : [`${name}: ${call.rawHeaders[n + 1]}`],
      );
      line.write([`GET ${call.url} HTTP/1.1`, ...headers, "\r\n"].join("\r\n"));
      line.write(head);
      line.pipe(browser).pipe(line);
    });
    line.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") this.connectSocket(call, browser, head, others);
      else browser.destroy();
    });
    line.once("close", () => this.sockets.delete(line) && browser.destroySoon());
    browser.once("error", () => line.destroy());
    browser.once("close", () => line.destroy());
  }
}
