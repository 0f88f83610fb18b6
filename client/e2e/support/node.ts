import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

/** The maximum time of a start on a busy machine, milliseconds; the demo hashes its passwords first. */
const START_MS = 180_000;

/** The running servers; they are killed when this process exits. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const server of running) server.kill("SIGKILL");
});

/** One process of the product. */
export class Node {
  private server: ChildProcess | null = null;
  private log = "";

  constructor(
    /** Its URL, e.g. http://localhost:43117. */
    readonly url: string,
    private readonly binary: string,
    private readonly settings: Record<string, string>,
  ) {}

  /** Starts the process and waits until it listens and is ready. */
  async start(): Promise<void> {
    const server = spawn(this.binary, ["serve"], { env: this.settings, stdio: ["ignore", "pipe", "pipe"] });
    running.add(server);
    server.once("exit", () => running.delete(server));
    let output = "";
    server.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    server.stderr.on("data", (chunk: Buffer) => {
      this.log = (this.log + chunk.toString()).slice(-20_000);
    });
    this.server = server;
    // Another process that had taken the port before would answer as if it were this one.
    const listens = () => output.includes("SecondRing is at");
    const deadline = Date.now() + START_MS;
    while (!listens() || !(await this.isReady())) {
      if (server.exitCode !== null || Date.now() > deadline) {
        throw new Error(`The server did not start:\n${this.log}`);
      }
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** Whether GET /readyz succeeds. */
  async isReady(): Promise<boolean> {
    return fetch(`${this.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Sends a signal and waits for the exit. Resolves to the exit code, null when killed. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<number | null> {
    const { server } = this;
    this.server = null;
    if (!server || server.exitCode !== null) return server?.exitCode ?? null;
    const exited = once(server, "exit");
    server.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }
}

/** The ports of each worker. A server takes its port up to a minute after the check that it is free. */
const PORTS_PER_WORKER = 1_000;

let nextPort = Math.floor(Math.random() * PORTS_PER_WORKER);

/**
 * A free port that no other worker gets, and this one not again soon. It is below the ephemeral ports: an outgoing
 * connection could take one of those while a server is stopped.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    nextPort = (nextPort + 1) % PORTS_PER_WORKER;
    const port = 20_000 + Number(process.env.TEST_PARALLEL_INDEX ?? 0) * PORTS_PER_WORKER + nextPort;
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "localhost", () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
