import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { compileFunction } from "node:vm";
import type { Entity } from "@/lib/live/types";
import { Browser } from "./browser";
import type * as Bundle from "./bundle";
import { compareList, coversShownList, type Difference, type Expected, type ShownList } from "./compare";
import type { RandomNumbers } from "./environment";

/** A window with its browser. Each has its own instance of the bundle's modules, as each page of a browser has. */
interface Window {
  browser: Browser;
  page: Bundle.Page;
  actions: Bundle.Actions;
  token: () => string | null;
}

/** A command of the driver: one JSON object per line. The answer has the same id. */
interface Command {
  id: number;
  do: string;
  client?: number;
  url?: string;
  name?: string;
  dice?: RandomNumbers;
  more?: Record<string, string>;
  lasted?: boolean;
}

const windows = new Map<number, Window>();
const write = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const [bundle = ""] = process.argv.slice(2);
const names = ["exports", "globalThis", "document", "fetch"];
const run = compileFunction(readFileSync(bundle, "utf8"), names, { filename: bundle });

/** The global object of a page, as far as the client reads it. */
class PageGlobal extends EventTarget {
  constructor(readonly location: { origin: string }) {
    super();
  }
}

/** The document of a page, as far as the client reads it. */
const pageDocument = { querySelector: () => null };

/** Opens a window of the real client at a URL. */
function open(client: number, url: string): void {
  const browser = new Browser(url);
  const exports = {} as typeof Bundle;
  run(exports, new PageGlobal({ origin: url }), pageDocument, browser.fetch);
  const environment = {
    connect: browser.connect.bind(browser),
    random: Math.random,
    signedOut: (why: string) => write({ event: "signedOut", client, why }),
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
  windows.set(client, { browser, page, actions: new exports.Actions(page), token });
}

function windowOf({ client = -1 }: Command): Window {
  const found = windows.get(client);
  if (!found) throw new Error(`no window ${client}`);
  return found;
}

/** What each window shows: recorded at one moment, and kept until it is compared. */
let snapshot: { client: number; token: string | null; who: string; shown: ShownList[] }[] = [];

function takeSnapshot(): void {
  snapshot = [...windows].map(([client, { page, token }]) => ({
    client,
    token: token(),
    who: page.me?.email ?? "",
    shown: page.screens.map(({ view: { name, path, rule }, shown }) => ({ name, path, rule, list: shown })),
  }));
}

/**
 * Fetches a list with this reader's token, page by page, until there is enough for the comparison. Null if the response
 * is 404.
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
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    const body = (await answer.json()) as never;
    all.push(...(Array.isArray(body) ? body : [body]));
    next = answer.headers.get("Link")?.match(/<([^>]*)>/)?.[1] ?? "";
  }
  return all;
}

/**
 * A difference, with the window that showed it, the time of the server's response (Unix time, milliseconds), and the
 * window's log of that entity and of the connection.
 */
interface ReportedDifference extends Difference {
  client: number;
  known: number;
  heard: string[];
}

function logOf(client: number, { what }: Difference): string[] {
  const id = what.split(" ")[0] ?? "";
  const all = windows.get(client)?.page.log ?? [];
  return all.filter((line) => !line.includes(" event ") || line.includes(id)).slice(-30);
}

/** The number of lists that are fetched at the same time. */
const CONCURRENCY = 4;

/** One list, and all windows that show it to the same reader. */
interface Group {
  path: string;
  token: string | null;
  members: { client: number; one: ShownList }[];
}

function groupByReader(): Group[] {
  const groups = new Map<string, Group>();
  for (const { client, token, who, shown } of snapshot) {
    for (const one of shown) {
      const { path } = one;
      const key = `${who} ${path}`;
      const group = groups.get(key) ?? { path, token, members: [] };
      group.members.push({ client, one });
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

/** Compares the snapshot with the server's lists. Each list is fetched once for each reader. */
async function compare(origin: string): Promise<{ compared: number; differences: ReportedDifference[] }> {
  const groups = groupByReader();
  const differences: ReportedDifference[] = [];
  let compared = 0;
  const work = async () => {
    for (let group = groups.pop(); group; group = groups.pop()) {
      const { path, token, members } = group;
      const truth = await fetchExpected(origin, path, token, (all) =>
        members.every(({ one }) => coversShownList(one, all)),
      );
      const known = Date.now();
      for (const { client, one } of members) {
        const difference = compareList(one, truth);
        compared += 1;
        if (difference) {
          differences.push({ client, ...difference, known, heard: logOf(client, difference) });
        }
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return { compared, differences };
}

function unsettled() {
  for (const [client, { page }] of windows) {
    const why = page.pendingReason();
    if (why !== null) return { client, why };
  }
  return {};
}

function counts() {
  const sum = { lists: 0, again: 0, lost: 0, topics: 0, shown: 0 };
  for (const { page } of windows.values()) {
    sum.lists += page.requests.lists;
    sum.again += page.requests.again;
    sum.lost += page.requests.lost;
    sum.topics += page.subscribedTopics.size;
    sum.shown += page.screens.length;
  }
  return sum;
}

async function runCommand(command: Command): Promise<object> {
  switch (command.do) {
    case "open":
      open(command.client ?? -1, command.url ?? "");
      return {};
    case "action":
      return windowOf(command).actions.do(command.name ?? "", command.dice ?? [], command.more);
    case "disconnect":
      windowOf(command).browser.disconnect();
      return {};
    case "sleep":
      windowOf(command).browser.sleep();
      return {};
    case "wake": {
      const { browser, page } = windowOf(command);
      page.wake();
      browser.wake(command.lasted ?? false);
      return {};
    }
    case "unsettled":
      return unsettled();
    case "snapshot":
      takeSnapshot();
      return {};
    case "compare":
      return compare(command.url ?? "");
    case "counts":
      return counts();
    default:
      throw new Error(`unknown command ${command.do}`);
  }
}

process.on("unhandledRejection", (reason) =>
  write({ event: "error", why: String((reason as Error)?.stack ?? reason) }),
);

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const command = JSON.parse(line) as Command;
    runCommand(command).then(
      (answer) => write({ id: command.id, ...answer }),
      (error: Error) => write({ id: command.id, failed: error.stack ?? String(error) }),
    );
  })
  .on("close", () => process.exit(0));
