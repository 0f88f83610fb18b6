import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { compileFunction } from "node:vm";
import type { Entity } from "@/lib/live/types";
import { Browser } from "./browser";
import type * as Bundle from "./bundle";
import {
  comparedPath,
  compareList,
  coversShownList,
  type Difference,
  type Expected,
  type ShownList,
} from "./compare";
import type { RandomNumbers } from "./environment";

/** A page with its browser. Each has its own instance of the bundle's modules, as each page of a browser has. */
interface Client {
  browser: Browser;
  page: Bundle.Page;
  actions: Bundle.Actions;
  token: () => string | null;
}

/** A command of the driver: one JSON object per line. The answer has the same id. */
interface Command {
  id: number;
  command: string;
  client?: number;
  url?: string;
  name?: string;
  random?: RandomNumbers;
  args?: Record<string, string>;
  keepConnection?: boolean;
}

const clients = new Map<number, Client>();
const write = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const [bundle = ""] = process.argv.slice(2);
const parameters = ["exports", "globalThis", "document", "fetch"];
const run = compileFunction(readFileSync(bundle, "utf8"), parameters, { filename: bundle });

/** The global object of a page, as far as the client reads it. */
class PageGlobal extends EventTarget {
  constructor(readonly location: { origin: string }) {
    super();
  }
}

/** The document of a page, as far as the client reads it. */
const pageDocument = { querySelector: () => null };

/** Opens an instance of the real client at a URL. */
function open(client: number, url: string): void {
  const browser = new Browser(url);
  const exports = {} as typeof Bundle;
  run(exports, new PageGlobal({ origin: url }), pageDocument, browser.fetch);
  const environment = {
    client,
    connect: browser.connect.bind(browser),
    random: Math.random,
    signedOut: (reason: string) => write({ event: "signedOut", client, reason }),
    confirm: async (intent: string, secret: string) => {
      const configResponse = await browser.fetch(`${url}/config`).catch(() => null);
      if (!configResponse?.ok) return 0; // the node is not running
      const config = (await configResponse.json()) as { stripe: { publishableKey: string } };
      const answer = await browser
        .fetch(`${url}/sandbox/stripe/v1/payment_intents/${intent}/confirm`, {
          method: "POST",
          headers: { Authorization: `Bearer ${config.stripe.publishableKey}` },
          body: new URLSearchParams({ client_secret: secret, payment_method: "pm_card_visa" }),
        })
        .catch(() => null);
      return answer?.status ?? 0;
    },
  };
  const page = new exports.Page(environment);
  browser.onListRequest = () => page.countRequest();
  const token = () => exports.selectAccessToken(page.store.getState());
  clients.set(client, { browser, page, actions: new exports.Actions(page), token });
}

function clientOf({ client = -1 }: Command): Client {
  const found = clients.get(client);
  if (!found) throw new Error(`no client ${client}`);
  return found;
}

/** What all clients show at one moment, until it is compared. */
let snapshot: { client: number; token: string | null; email: string; lists: ShownList[] }[] = [];

function takeSnapshot(): void {
  snapshot = [...clients].map(([client, { page, token }]) => ({
    client,
    token: token(),
    email: page.me?.email ?? "",
    lists: page.screens.map(({ view: { name, path, rule, arg }, shown }) => ({
      name,
      path: comparedPath(path, shown),
      rule,
      limit: arg.limit,
      list: shown,
    })),
  }));
}

/**
 * Fetches a list with a client's token, page by page, until it is complete enough. It is empty if the server searched for
 * other words, because then no phone has these.
 */
async function fetchExpected(
  origin: string,
  path: string,
  token: string | null,
  isComplete: (all: Entity[]) => boolean,
): Promise<Expected> {
  const all: Entity[] = [];
  let next = `${path}${path.includes("?") ? "&" : "?"}limit=200`;
  while (next && !isComplete(all)) {
    const headers = new Headers({ Accept: "application/json" });
    if (token) headers.set("Authorization", `Bearer ${token}`);
    const answer = await fetch(`${origin}${next}`, { headers });
    if (answer.status === 404) return null;
    if (answer.status === 401) return "unauthorized";
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    if (answer.headers.has("X-Searched")) return [];
    const body = (await answer.json()) as never;
    all.push(...(Array.isArray(body) ? body : [body]));
    next = answer.headers.get("Link")?.match(/<([^>]*)>/)?.[1] ?? "";
  }
  return all;
}

/**
 * A difference, with the client that showed it, the time of the server's response (Unix time, milliseconds), and the
 * client's log of that entity and of the connection.
 */
interface ReportedDifference extends Difference {
  client: number;
  fetchedAt: number;
  log: string[];
}

function logOf(client: number, { problem }: Difference): string[] {
  const id = problem.split(" ")[0] ?? "";
  const all = clients.get(client)?.page.log ?? [];
  return all.filter((line) => !line.includes(" event ") || line.includes(id)).slice(-30);
}

/** The number of lists that are fetched at the same time. */
const CONCURRENCY = 4;

/** One list, and all clients that show it to the same user. */
interface Group {
  path: string;
  token: string | null;
  members: { client: number; shown: ShownList }[];
}

function groupByUser(): Group[] {
  const groups = new Map<string, Group>();
  for (const { client, token, email, lists } of snapshot) {
    for (const shown of lists) {
      const { path } = shown;
      const key = `${email} ${path}`;
      const group = groups.get(key) ?? { path, token, members: [] };
      group.members.push({ client, shown });
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

/** Compares the snapshot with the server's lists. Each list is fetched once for each user. */
async function compare(origin: string): Promise<{ compared: number; differences: ReportedDifference[] }> {
  const groups = groupByUser();
  const differences: ReportedDifference[] = [];
  let compared = 0;
  const work = async () => {
    for (let group = groups.pop(); group; group = groups.pop()) {
      const { path, token, members } = group;
      const expected = await fetchExpected(origin, path, token, (all) =>
        members.every(({ shown }) => coversShownList(shown, all)),
      );
      const fetchedAt = Date.now();
      for (const { client, shown } of members) {
        const difference = compareList(shown, expected);
        compared += 1;
        if (difference) {
          differences.push({ client, ...difference, fetchedAt, log: logOf(client, difference) });
        }
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return { compared, differences };
}

function pending() {
  for (const [client, { page }] of clients) {
    const reason = page.pendingReason();
    if (reason !== null) return { client, reason };
  }
  return {};
}

function counts() {
  const sum = { lists: 0, refetched: 0, shown: 0 };
  for (const { page } of clients.values()) {
    sum.lists += page.requests.lists;
    sum.refetched += page.requests.refetched;
    sum.shown += page.screens.length;
  }
  return sum;
}

/** Whose conversations each user has received events of. */
function heardThreads() {
  const heard = [...clients.values()].flatMap(({ page }) => [...page.heardThreads]);
  return { heard: [...new Set(heard)].map((line) => line.split(" ")) };
}

async function runCommand(command: Command): Promise<object> {
  switch (command.command) {
    case "open":
      open(command.client ?? -1, command.url ?? "");
      return {};
    case "action":
      return clientOf(command).actions.do(command.name ?? "", command.random ?? [], command.args);
    case "disconnect":
      clientOf(command).browser.disconnect();
      return {};
    case "suspend":
      clientOf(command).browser.suspend();
      return {};
    case "resume": {
      const { browser, page } = clientOf(command);
      page.resume();
      browser.resume(command.keepConnection ?? false);
      return {};
    }
    case "pending":
      return pending();
    case "snapshot":
      takeSnapshot();
      return {};
    case "compare":
      return compare(command.url ?? "");
    case "counts":
      return counts();
    case "heardThreads":
      return heardThreads();
    default:
      throw new Error(`unknown command ${command.command}`);
  }
}

process.on("unhandledRejection", (reason) =>
  write({ event: "error", reason: String((reason as Error)?.stack ?? reason) }),
);

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const command = JSON.parse(line) as Command;
    runCommand(command).then(
      (answer) => write({ id: command.id, ...answer }),
      (error: Error) => write({ id: command.id, error: error.stack ?? String(error) }),
    );
  })
  .on("close", () => process.exit(0));
