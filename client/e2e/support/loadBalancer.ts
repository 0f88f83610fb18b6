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
    server.on("request", (req, res) => void this.forward(req, res, this.candidates(req.url)));
    server.on("upgrade", (req, socket, head) =>
      this.connectSocket(req, socket as Socket, head, this.candidates(req.url)),
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
    for (const upstream of this.sockets.keys()) upstream.destroy();
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
    const start = this.nextIndex % Math.max(1, this.ready.length);
    const all = [...this.ready.slice(start), ...this.ready.slice(0, start)];
    const rule = this.rules.find((candidate) => candidate.path.test(path));
    return rule ? [rule.node, ...all] : all;
  }

  private async forward(req: IncomingMessage, res: ServerResponse, nodes: Node[]): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    this.tryForward(req, Buffer.concat(chunks), res, nodes);
  }

  private tryForward(req: IncomingMessage, body: Buffer, res: ServerResponse, nodes: Node[]): void {
    const [node, ...others] = nodes;
    if (!node) {
      res.writeHead(503, { "Retry-After": "1" }).end();
      return;
    }
    const { method, headers } = req;
    const upstreamRequest = request(
      `${node.url}${req.url}`,
      { method, headers, agent: false },
      (response) => {
        res.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(res);
        response.once("error", () => res.destroy());
      },
    );
    upstreamRequest.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") this.tryForward(req, body, res, others);
      else res.destroy();
    });
    upstreamRequest.end(body);
  }

  private connectSocket(req: IncomingMessage, browser: Socket, head: Buffer, nodes: Node[]): void {
    const [node, ...others] = nodes;
    if (!node) {
      browser.end("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    const { hostname, port } = new URL(node.url);
    const upstream = connect(Number(port), hostname);
    upstream.once("connect", () => {
      this.sockets.set(upstream, node);
      const headers = req.rawHeaders.flatMap((name, n) =>
        n % 2 ? [] : [`${name}: ${req.rawHeaders[n + 1]}`],
      );
      upstream.write([`GET ${req.url} HTTP/1.1`, ...headers, "\r\n"].join("\r\n"));
      upstream.write(head);
      upstream.pipe(browser).pipe(upstream);
    });
    upstream.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") this.connectSocket(req, browser, head, others);
      else browser.destroy();
    });
    upstream.once("close", () => this.sockets.delete(upstream) && browser.destroySoon());
    browser.once("error", () => upstream.destroy());
    browser.once("close", () => upstream.destroy());
  }
}
