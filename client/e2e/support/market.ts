import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const BINARY = resolve(process.env.SECONDRING_BIN ?? "../bin/secondring");
/** How long a start may take, milliseconds; the demo hashes its logins' passwords first. */
const START_MS = 30_000;

/** A running product: the real binary on a port and a data folder of its own. */
export class Market {
  private server: ChildProcess | null = null;
  private log = "";

  private constructor(
    /** Where browsers reach it, e.g. http://localhost:43117. */
    readonly url: string,
    private readonly settings: Record<string, string>,
    private readonly dataDir: string,
  ) {}

  /** Starts a fresh one; `settings` are environment variables of the contract's section 2. */
  static async start(settings: Record<string, string> = {}): Promise<Market> {
    if (!existsSync(BINARY)) throw new Error(`${BINARY} is missing: make build, or set SECONDRING_BIN`);
    const dataDir = mkdtempSync(join(tmpdir(), "secondring-e2e-"));
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const market = new Market(
      url,
      {
        PATH: process.env.PATH ?? "",
        ADDR: `localhost:${port}`,
        PUBLIC_URL: url,
        DATA_DIR: dataDir,
        RATE_LIMIT: "off",
        MAX_HOLDS: "1000",
        CONTACT_EMAIL: "hello@example.com",
        CONTACT_PHONE: "+880 1234-567890",
        ...settings,
      },
      dataDir,
    );
    await market.up();
    return market;
  }

  /** Starts the server again on the same data folder, port and settings. */
  async up(): Promise<void> {
    const server = spawn(BINARY, ["serve"], { env: this.settings, stdio: ["ignore", "ignore", "pipe"] });
    server.stderr.on("data", (chunk: Buffer) => {
      this.log = (this.log + chunk.toString()).slice(-20_000);
    });
    this.server = server;
    const deadline = Date.now() + START_MS;
    while (!(await this.isReady())) {
      if (server.exitCode !== null || Date.now() > deadline) {
        throw new Error(`The server did not start:\n${this.log}`);
      }
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  private async isReady(): Promise<boolean> {
    return fetch(`${this.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Ends the server by a signal and waits until it is gone; resolves to its exit code, null when killed. */
  async down(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<number | null> {
    const { server } = this;
    this.server = null;
    if (!server || server.exitCode !== null) return server?.exitCode ?? null;
    const gone = once(server, "exit");
    server.kill(signal);
    const [code] = (await gone) as [number | null];
    return code;
  }

  /** Ends the server and removes its data. */
  async discard(): Promise<void> {
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

/**
 * A free port below those that the system gives to outgoing connections: one of these could take the port
 * while a server of ours is stopped.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const probe = createServer();
    const free = await new Promise<boolean>((tell) => {
      probe.once("error", () => tell(false));
      probe.listen(port, "localhost", () => probe.close(() => tell(true)));
    });
    if (free) return port;
  }
}
