import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { freePort } from "./node";

/** Runs until its standard input is closed, so that it stops with this process. */
type Server = ChildProcessByStdio<Writable, Readable | null, null>;

const MONGO = resolve("../scripts/mongo.sh");
/** Redis without persistence, and with a separate database for each market. */
const REDIS = `redis-server --port "$1" --bind 127.0.0.1 --dir "$2" --save "" --databases 10000 --loglevel warning &
trap "kill $!; wait" EXIT
read -r _`;
/** How long a start may take, milliseconds. */
const START_MS = 180_000;

let databases = 0;

/** The servers that the nodes of a market share: a real Redis, and a real server of MongoDB's protocol. */
export class Servers {
  private constructor(
    private readonly mongodb: string,
    private readonly redis: string,
    private readonly processes: Server[],
    private readonly folder: string,
  ) {}

  /** Starts the servers; if MONGODB_URI is set, that server is used. */
  static async start(): Promise<Servers> {
    const folder = mkdtempSync(join(tmpdir(), "secondring-e2e-"));
    const port = await freePort();
    const redis = spawn("bash", ["-c", REDIS, "redis", String(port), folder], {
      stdio: ["pipe", "ignore", "inherit"],
    });
    const externalMongo = process.env.MONGODB_URI;
    const mongo = externalMongo
      ? null
      : spawn("bash", [MONGO, "serve"], { stdio: ["pipe", "pipe", "inherit"] });
    const processes = mongo ? [redis, mongo] : [redis];
    try {
      const mongodb = externalMongo || (await mongoAddress(mongo as Server));
      await waitForPort(port, redis);
      return new Servers(mongodb, `redis://127.0.0.1:${port}`, processes, folder);
    } catch (error) {
      await stopAll(processes);
      throw error;
    }
  }

  /** The settings of a further market, with its own databases. */
  settings(): Record<string, string> {
    databases += 1;
    const [address = "", options] = this.mongodb.split("?");
    const database = `${address.replace(/\/$/, "")}/e2e_${process.pid}_${databases}`;
    return {
      MONGODB_URI: options ? `${database}?${options}` : database,
      REDIS_URL: `${this.redis}/${databases}`,
      TOKEN_SECRET: "a secret that all nodes of a market know",
    };
  }

  /** Stops the servers and deletes their data. */
  async stop(): Promise<void> {
    await stopAll(this.processes);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * The URI that mongo.sh prints when it is ready. PostgreSQL behind it allows few connections. On a busy machine a call
 * may take longer than the five seconds that a market waits for it.
 */
async function mongoAddress(mongo: Server): Promise<string> {
  for await (const line of createInterface({ input: mongo.stdout as Readable })) {
    const [key, value] = line.split(" ");
    if (key === "uri") return `${value}?maxPoolSize=20&timeoutMS=60000`;
  }
  throw new Error("There is no server that speaks MongoDB's protocol: make mongo, or set MONGODB_URI");
}

/** Waits until a port accepts connections. */
async function waitForPort(port: number, server: Server): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isListening = await new Promise((done) =>
      socket.once("connect", () => done(true)).once("error", () => done(false)),
    );
    socket.destroy();
    if (isListening) return;
    if (server.exitCode !== null || Date.now() > deadline) {
      throw new Error("Redis does not start (Debian: apt-get install redis-server)");
    }
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function stopAll(processes: Server[]): Promise<void> {
  await Promise.all(
    processes.map(async (server) => {
      if (server.exitCode !== null) return;
      const exited = once(server, "exit");
      server.stdin.end();
      await exited;
    }),
  );
}
