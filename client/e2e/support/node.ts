import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

/** How long a start may take, milliseconds; the demo hashes its logins' passwords first. */
const START_MS = 30_000;

/** What must not outlive this process, however it ends. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const server of running) server.kill("SIGKILL");
});

/** One process of the product, on a port of its own. */
export class Node {
  private server: ChildProcess | null = null;
  private log = "";

  constructor(
    /** Where it listens, e.g. http://localhost:43117. */
    readonly url: string,
    private readonly binary: string,
    private readonly settings: Record<string, string>,
  ) {}

  /** Starts it, and waits until it is ready; after a `down`, on the same port and settings. */
  async up(): Promise<void> {
    const server = spawn(this.binary, ["serve"], { env: this.settings, stdio: ["ignore", "ignore", "pipe"] });
    running.add(server);
    server.once("exit", () => running.delete(server));
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

  /** Whether a balancer may send somebody here. */
  async isReady(): Promise<boolean> {
    return fetch(`${this.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Ends it by a signal and waits until it is gone; resolves to its exit code, null when killed. */
  async down(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<number | null> {
    const { server } = this;
    this.server = null;
    if (!server || server.exitCode !== null) return server?.exitCode ?? null;
    const gone = once(server, "exit");
    server.kill(signal);
    const [code] = (await gone) as [number | null];
    return code;
  }
}

/**
 * A free port below those that the system gives to outgoing connections: one of these could take the port
 * while a server of ours is stopped.
 */
export async function freePort(): Promise<number> {
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
