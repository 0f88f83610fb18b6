import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Node } from "./node";

/** How often each node is asked whether it is ready, milliseconds. */
const ASK_MS = 200;

/**
 * A small balancer: calls and sockets go to the ready nodes in turn. What a node never got, because nobody
 * listened there, goes to the next; what it got is not repeated.
 */
export class Front {
  private ready: Node[] = [];
  private turn = 0;
  private readonly lines = new Map<Socket, Node>();
  private readonly rules: { path: RegExp; node: Node }[] = [];
  private readonly asking: NodeJS.Timeout;

  private constructor(
    /** Where browsers find it. */
    readonly url: string,
    private readonly nodes: readonly Node[],
    private readonly server: Server,
  ) {
    server.on("request", (call, answer) => void this.pass(call, answer, this.candidates(call.url)));
    server.on("upgrade", (call, socket, head) =>
      this.join(call, socket as Socket, head, this.candidates(call.url)),
    );
    this.asking = setInterval(() => void this.ask(), ASK_MS);
  }

  /** Opens one on this port. */
  static async open(port: number, nodes: readonly Node[]): Promise<Front> {
    const server = createServer();
    const front = new Front(`http://localhost:${port}`, nodes, server);
    await front.ask();
    await new Promise<void>((done) => server.listen(port, "localhost", done));
    return front;
  }

  /** From now on calls like this go to one node, as a balancer's chance would have it. */
  send(path: RegExp, node: Node): void {
    this.rules.unshift({ path, node });
  }

  /** The nodes with sockets of browsers, one for each. */
  lineNodes(): Node[] {
    return [...this.lines.values()];
  }

  async close(): Promise<void> {
    clearInterval(this.asking);
    for (const line of this.lines.keys()) line.destroy();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async ask(): Promise<void> {
    const are = await Promise.all(this.nodes.map((node) => node.isReady()));
    this.ready = this.nodes.filter((_, n) => are[n]);
  }

  /** The ready nodes in the order in which they are tried: the one whose turn it is first. */
  private candidates(path = "/"): Node[] {
    this.turn += 1;
    const at = this.turn % Math.max(1, this.ready.length);
    const all = [...this.ready.slice(at), ...this.ready.slice(0, at)];
    const rule = this.rules.find((one) => one.path.test(path));
    return rule ? [rule.node, ...all] : all;
  }

  private async pass(call: IncomingMessage, answer: ServerResponse, nodes: Node[]): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of call) chunks.push(chunk as Buffer);
    this.tryPass(call, Buffer.concat(chunks), answer, nodes);
  }

  private tryPass(call: IncomingMessage, body: Buffer, answer: ServerResponse, nodes: Node[]): void {
    const [node, ...others] = nodes;
    if (!node) {
      answer.writeHead(503, { "Retry-After": "1" }).end();
      return;
    }
    const { method, headers } = call;
    const onward = request(`${node.url}${call.url}`, { method, headers, agent: false }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
      got.once("error", () => answer.destroy());
    });
    onward.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") this.tryPass(call, body, answer, others);
      else answer.destroy();
    });
    onward.end(body);
  }

  private join(call: IncomingMessage, browser: Socket, head: Buffer, nodes: Node[]): void {
    const [node, ...others] = nodes;
    if (!node) {
      browser.end("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    const { hostname, port } = new URL(node.url);
    const line = connect(Number(port), hostname);
    line.once("connect", () => {
      this.lines.set(line, node);
      const headers = call.rawHeaders.flatMap((name, n) =>
        n % 2 ? [] : [`${name}: ${call.rawHeaders[n + 1]}`],
      );
      line.write([`GET ${call.url} HTTP/1.1`, ...headers, "\r\n"].join("\r\n"));
      line.write(head);
      line.pipe(browser).pipe(line);
    });
    line.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") this.join(call, browser, head, others);
      else browser.destroy();
    });
    line.once("close", () => this.lines.delete(line) && browser.destroySoon());
    browser.once("error", () => line.destroy());
    browser.once("close", () => line.destroy());
  }
}
