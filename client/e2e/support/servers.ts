import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { freePort } from "./node";

/** Serves until its standard input ends: with this process, whatever becomes of it. */
type Server = ChildProcessByStdio<Writable, Readable | null, null>;

const MONGO = resolve("../scripts/mongo.sh");
/** Redis with nothing on the disk, and a database of its own for each market. */
const REDIS = `redis-server --port "$1" --bind 127.0.0.1 --dir "$2" --save "" --databases 10000 --loglevel warning &
trap "kill $!; wait" EXIT
read -r _`;
/** How long a start may take, milliseconds. */
const START_MS = 30_000;

let databases = 0;

/** What the nodes of a market share: a real Redis, and a real server that speaks MongoDB's protocol. */
export class Servers {
  private constructor(
    private readonly mongodb: string,
    private readonly redis: string,
    private readonly processes: Server[],
    private readonly folder: string,
  ) {}

  /** Starts them; where MONGODB_URI is set, that server is used instead. */
  static async start(): Promise<Servers> {
    const folder = mkdtempSync(join(tmpdir(), "secondring-e2e-"));
    const port = await freePort();
    const redis = spawn("bash", ["-c", REDIS, "redis", String(port), folder], {
      stdio: ["pipe", "ignore", "inherit"],
    });
    const given = process.env.MONGODB_URI;
    const mongo = given ? null : spawn("bash", [MONGO, "serve"], { stdio: ["pipe", "pipe", "inherit"] });
    const processes = mongo ? [redis, mongo] : [redis];
    try {
      const mongodb = given || (await addressOf(mongo as Server));
      await listens(port, redis);
      return new Servers(mongodb, `redis://127.0.0.1:${port}`, processes, folder);
    } catch (error) {
      await end(processes);
      throw error;
    }
  }

  /** The settings of one more market: a database of its own on each. */
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

  /** Ends them, with all that is stored there. */
  async stop(): Promise<void> {
    await end(this.processes);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What mongo.sh says when it answers; PostgreSQL behind it takes so many connections at once. */
async function addressOf(mongo: Server): Promise<string> {
  for await (const line of createInterface({ input: mongo.stdout as Readable })) {
    const [word, value] = line.split(" ");
    if (word === "uri") return `${value}?maxPoolSize=20`;
  }
  throw new Error("There is no server that speaks MongoDB's protocol: make mongo, or set MONGODB_URI");
}

/** Waits until somebody listens on a port. */
async function listens(port: number, server: Server): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const is = await new Promise((tell) =>
      socket.once("connect", () => tell(true)).once("error", () => tell(false)),
    );
    socket.destroy();
    if (is) return;
    if (server.exitCode !== null || Date.now() > deadline) {
      throw new Error("Redis does not start (Debian: apt-get install redis-server)");
    }
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function end(processes: Server[]): Promise<void> {
  await Promise.all(
    processes.map(async (server) => {
      if (server.exitCode !== null) return;
      const gone = once(server, "exit");
      server.stdin.end();
      await gone;
    }),
  );
}
