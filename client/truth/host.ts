import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { compileFunction } from "node:vm";
import type { Entity } from "@/lib/live/types";
import { Browser } from "./browser";
import type * as Bundle from "./bundle";
import { type Difference, differs, isEnough, type Shown, type Truth } from "./compare";
import type { RandomNumbers } from "./environment";

/** A window with its browser. Each has the bundle's modules to itself, as each page of a browser has. */
interface Window {
  browser: Browser;
  page: Bundle.Page;
  deeds: Bundle.Actions;
  token: () => string | null;
}

/** What the driver says, a JSON object a line; the answer has the same id. */
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
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const [bundle = ""] = process.argv.slice(2);
const names = ["exports", "globalThis", "document", "fetch"];
const run = compileFunction(readFileSync(bundle, "utf8"), names, { filename: bundle });

/** The global object of a page, as far as the client looks at it. */
class PageGlobal extends EventTarget {
  constructor(readonly location: { origin: string }) {
    super();
  }
}

const page = { querySelector: () => null };

/** Opens a window of the real client, at an address. */
function open(client: number, url: string): void {
  const browser = new Browser(url);
  const exports = {} as typeof Bundle;
  run(exports, new PageGlobal({ origin: url }), page, browser.fetch);
  const world = {
    connect: browser.connect.bind(browser),
    random: Math.random,
    left: (why: string) => say({ event: "left", client, why }),
    confirm: async (intent: string, secret: string) => {
      const told = await browser.fetch(`${url}/config`).catch(() => null);
      if (!told?.ok) return 0; // a node is away
      const config = (await told.json()) as { stripe: { publishableKey: string } };
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
  const made = new exports.Page(world);
  browser.asks = () => made.countRequest();
  const token = () => exports.selectAccessToken(made.store.getState());
  windows.set(client, { browser, page: made, deeds: new exports.Actions(made), token });
}

function windowOf({ client = -1 }: Command): Window {
  const found = windows.get(client);
  if (!found) throw new Error(`no window ${client}`);
  return found;
}

/** What is shown, by window: taken at one moment, and kept until it is compared. */
let taken: { client: number; token: string | null; who: string; shown: Shown[] }[] = [];

function take(): void {
  taken = [...windows].map(([client, { page, token }]) => ({
    client,
    token: token(),
    who: page.me?.email ?? "",
    shown: page.screens.map(({ look: { name, path, rule }, list }) => ({ name, path, rule, list })),
  }));
}

/**
 * A list as this reader may see it, page by page until there is enough to hold what is shown against; null for
 * what is not there.
 */
async function truthOf(
  origin: string,
  path: string,
  token: string | null,
  suffices: (all: Entity[]) => boolean,
): Promise<Truth> {
  const all: Entity[] = [];
  let next = `${path}${path.includes("?") ? "&" : "?"}limit=200`;
  while (next && !suffices(all)) {
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
 * A difference, by whom it was found, since when the market is known to say so (Unix time, milliseconds), and what
 * had been heard of that entity and of the line.
 */
interface Told extends Difference {
  client: number;
  known: number;
  heard: string[];
}

function heardOf(client: number, { what }: Difference): string[] {
  const id = what.split(" ")[0] ?? "";
  const all = windows.get(client)?.page.log ?? [];
  return all.filter((line) => !line.includes(" event ") || line.includes(id)).slice(-30);
}

/** So many lists are asked for at once. */
const AT_ONCE = 4;

/** What is shown of one list by all whom the market tells the same of it. */
interface Group {
  path: string;
  token: string | null;
  members: { client: number; one: Shown }[];
}

function groupsOf(): Group[] {
  const groups = new Map<string, Group>();
  for (const { client, token, who, shown } of taken) {
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

/** Compares what was taken with what the market says, asking each thing once for each reader. */
async function compare(origin: string): Promise<{ compared: number; differences: Told[] }> {
  const groups = groupsOf();
  const differences: Told[] = [];
  let compared = 0;
  const work = async () => {
    for (let group = groups.pop(); group; group = groups.pop()) {
      const { path, token, members } = group;
      const truth = await truthOf(origin, path, token, (all) =>
        members.every(({ one }) => isEnough(one, all)),
      );
      const known = Date.now();
      for (const { client, one } of members) {
        const difference = differs(one, truth);
        compared += 1;
        if (difference) {
          differences.push({ client, ...difference, known, heard: heardOf(client, difference) });
        }
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { compared, differences };
}

function unsettled() {
  for (const [client, { page }] of windows) {
    const why = page.unsettled();
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
    sum.topics += page.followed.size;
    sum.shown += page.screens.length;
  }
  return sum;
}

async function obey(command: Command): Promise<object> {
  switch (command.do) {
    case "open":
      open(command.client ?? -1, command.url ?? "");
      return {};
    case "deed":
      return windowOf(command).deeds.do(command.name ?? "", command.dice ?? [], command.more);
    case "cut":
      windowOf(command).browser.cut();
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
    case "take":
      take();
      return {};
    case "compare":
      return compare(command.url ?? "");
    case "counts":
      return counts();
    default:
      throw new Error(`what is ${command.do}?`);
  }
}

process.on("unhandledRejection", (reason) =>
  say({ event: "trouble", why: String((reason as Error)?.stack ?? reason) }),
);

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const command = JSON.parse(line) as Command;
    obey(command).then(
      (answer) => say({ id: command.id, ...answer }),
      (error: Error) => say({ id: command.id, failed: error.stack ?? String(error) }),
    );
  })
  .on("close", () => process.exit(0));
