import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { LoadBalancer } from "./loadBalancer";
import { freePort, Node } from "./node";
import type { Servers } from "./servers";

const BINARY = resolve(process.env.SECONDRING_BIN ?? "../bin/secondring");
/** The number of nodes of a market with shared servers. */
const NODES = 2;

/** A running product: the real binary, as one process with its own data folder, or as nodes with shared servers. */
export class Market {
  private readonly requestCounts = { page: 0, call: 0 };
  private openBalancer: LoadBalancer | null = null;

  private constructor(
    readonly nodes: readonly [Node, ...Node[]],
    private readonly settings: Record<string, string>,
    private readonly balancerPort: number,
    private readonly dataDir: string,
  ) {}

  /**
   * Starts a market with an empty database; `settings` are environment variables (docs/SETTINGS.md). With
   * `servers` it has several nodes.
   */
  static async start(settings: Record<string, string> = {}, servers: Servers | null = null): Promise<Market> {
    if (!existsSync(BINARY)) throw new Error(`${BINARY} is missing: make build, or set SECONDRING_BIN`);
    const dataDir = mkdtempSync(join(tmpdir(), "secondring-e2e-"));
    const ports: number[] = [];
    for (let n = 0; n < (servers ? NODES : 1); n += 1) ports.push(await freePort());
    const balancerPort = servers ? await freePort() : (ports[0] as number);
    const common = {
      PATH: process.env.PATH ?? "",
      PUBLIC_URL: `http://localhost:${balancerPort}`,
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
    const market = new Market(nodes as [Node, ...Node[]], common, balancerPort, dataDir);
    await market.start();
    return market;
  }

  /** The URL for browsers, e.g. http://localhost:43117; that of the first node. */
  get url(): string {
    return this.nodes[0].url;
  }

  /** The URL of the node for the next page or API call, in round-robin order. */
  nextUrl(kind: "page" | "call"): string {
    this.requestCounts[kind] += 1;
    return (this.nodes[this.requestCounts[kind] % this.nodes.length] as Node).url;
  }

  /** Starts a load balancer in front of the nodes; it is closed by `discard`. */
  async loadBalancer(): Promise<LoadBalancer> {
    this.openBalancer ??= await LoadBalancer.open(this.balancerPort, this.nodes);
    return this.openBalancer;
  }

  /** Starts all nodes, one after another, with the same data, ports and settings. */
  async start(): Promise<void> {
    for (const node of this.nodes) await node.start();
  }

  /** Sends a signal to all nodes and waits for their exit. Resolves to the exit code, null when killed. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<number | null> {
    const codes = await Promise.all(this.nodes.map((node) => node.stop(signal)));
    return codes.find((code) => code !== 0) ?? codes[0] ?? null;
  }

  /** Kills the nodes and removes the data. */
  async discard(): Promise<void> {
    await this.openBalancer?.close();
    await this.stop("SIGKILL");
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Runs a command of the binary with this standard input. Resolves to its output. */
  async runCommand(args: string[], input = ""): Promise<string> {
    const command = spawn(BINARY, args, { env: this.settings, stdio: ["pipe", "pipe", "pipe"] });
    let output = "";
    for (const stream of [command.stdout, command.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    const closed = once(command, "close");
    command.stdin.end(input);
    const [code] = (await closed) as [number | null];
    if (code !== 0) throw new Error(`secondring ${args.join(" ")} ended with ${code}:\n${output}`);
    return output;
  }
}
