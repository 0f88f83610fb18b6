import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { LoadBalancer } from "./loadBalancer";
import { freePort, Node } from "./node";
import type { Servers } from "./servers";

const BINARY = resolve(process.env.SECONDRING_BIN ?? "../bin/secondring");
/** Nodes of a market that has servers to share. */
const NODES = 2;

/** A running product: the real binary, alone with a data folder of its own, or as nodes on shared servers. */
export class Market {
  private readonly turns = { window: 0, call: 0 };
  private opened: LoadBalancer | null = null;

  private constructor(
    readonly nodes: readonly [Node, ...Node[]],
    private readonly settings: Record<string, string>,
    private readonly frontPort: number,
    private readonly dataDir: string,
  ) {}

  /**
   * Starts a fresh one; `settings` are environment variables of the contract's section 2. With servers it is
   * nodes with a database of their own there.
   */
  static async start(settings: Record<string, string> = {}, servers: Servers | null = null): Promise<Market> {
    if (!existsSync(BINARY)) throw new Error(`${BINARY} is missing: make build, or set SECONDRING_BIN`);
    const dataDir = mkdtempSync(join(tmpdir(), "secondring-e2e-"));
    const ports: number[] = [];
    for (let n = 0; n < (servers ? NODES : 1); n += 1) ports.push(await freePort());
    const frontPort = servers ? await freePort() : (ports[0] as number);
    const common = {
      PATH: process.env.PATH ?? "",
      PUBLIC_URL: `http://localhost:${frontPort}`,
      DATA_DIR: dataDir,
      RATE_LIMIT: "off",
      MAX_HOLDS: "1000",
      CONTACT_EMAIL: "hello@example.com",
      CONTACT_PHONE: "+880 1234-567890",
      ...servers?.settings(),
      ...settings,
    };
    const nodes = ports.map(
      (port) => new Node(`http://localhost:${port}`, BINARY, { ...common, ADDR: `localhost:${port}` }),
    );
    const market = new Market(nodes as [Node, ...Node[]], common, frontPort, dataDir);
    await market.up();
    return market;
  }

  /** Where browsers reach it, e.g. http://localhost:43117; of nodes, the first. */
  get url(): string {
    return this.nodes[0].url;
  }

  /** Where the next window, or the next call, is sent: to each node in its turn. */
  next(kind: "window" | "call"): string {
    this.turns[kind] += 1;
    return (this.nodes[this.turns[kind] % this.nodes.length] as Node).url;
  }

  /** A balancer before the nodes, open until the market is discarded. */
  async front(): Promise<LoadBalancer> {
    this.opened ??= await LoadBalancer.open(this.frontPort, this.nodes);
    return this.opened;
  }

  /** Starts the server again on the same data, port and settings; nodes one after the other. */
  async up(): Promise<void> {
    for (const node of this.nodes) await node.up();
  }

  /** Ends the server by a signal and waits until it is gone; resolves to its exit code, null when killed. */
  async down(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<number | null> {
    const codes = await Promise.all(this.nodes.map((node) => node.down(signal)));
    return codes.find((code) => code !== 0) ?? codes[0] ?? null;
  }

  /** Ends the server and removes its data. */
  async discard(): Promise<void> {
    await this.opened?.close();
    await this.down("SIGKILL");
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Runs one of the binary's commands beside the server; `input` is its standard input. */
  async run(args: string[], input = ""): Promise<string> {
    const tool = spawn(BINARY, args, { env: this.settings, stdio: ["pipe", "pipe", "pipe"] });
    let out = "";
    for (const stream of [tool.stdout, tool.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        out += chunk.toString();
      });
    }
    const gone = once(tool, "close");
    tool.stdin.end(input);
    const [code] = (await gone) as [number | null];
    if (code !== 0) throw new Error(`secondring ${args.join(" ")} ended with ${code}:\n${out}`);
    return out;
  }
}
