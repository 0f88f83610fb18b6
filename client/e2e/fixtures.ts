import { type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { Problems } from "./support/consoleProblems";
import { watchShifts } from "./support/layoutShifts";
import { Market } from "./support/market";
import { type Brand, Person } from "./support/person";
import { Servers } from "./support/servers";

/** The people of one test, each with a name that nobody else has. */
export interface People {
  buyer(name?: string): Promise<Person>;
  seller(name?: string): Promise<Person>;
  verifiedSeller(name?: string): Promise<Person>;
  admin(): Promise<Person>;
}

/** A market of one test with what the shared one has around it. */
interface OwnMarket {
  market: Market;
  chief: Person;
  brand: Brand;
  people: People;
}

interface TestFixtures {
  /** A name that no other test uses. */
  unique: (name: string) => string;
  people: People;
  /** A market for this test alone: no demo, and it may be stopped. */
  ownMarket: (settings?: Record<string, string>) => Promise<OwnMarket>;
  /** A new window (a browser context of its own), signed in as the person, or as nobody; of nodes, at the next one. */
  visit: (person?: Person | null, options?: BrowserContextOptions) => Promise<Page>;
  /** What went wrong in the windows; a test may say what it expects. */
  problems: Problems;
  /** Checks that the windows of this test were not reloaded since `stay(page)` was called on them. */
  stay: (page: Page) => Promise<void>;
}

/** What a project may set for all its tests. */
export interface ProjectOptions {
  /** One process with a file of its own, or nodes that share real servers. */
  store: "own" | "shared";
}

interface WorkerFixtures extends ProjectOptions {
  /** What the nodes of a market share; null where each market is one process. */
  servers: Servers | null;
  /** Settings of this worker's market. */
  settings: Record<string, string>;
  /** The demo, running; shared by the tests of one worker, so tests make their own people and phones. */
  market: Market;
  /** Signed in by the command line's `admin create`. */
  chief: Person;
  /** One of the brands. */
  brand: Brand;
}

declare global {
  interface Window {
    /** Set by `stay`; a reload would lose it. */
    unbroken?: boolean;
  }
}

let count = 0;

function peopleOf(market: Market, unique: (name: string) => string, chief: Person): People {
  const seller = (name = "Selim") => Person.join(market, unique(name), "Seller");
  return {
    buyer: (name = "Bashir") => Person.join(market, unique(name), "User"),
    seller,
    verifiedSeller: async (name) => {
      const person = await seller(name);
      await chief.verify(person);
      return person;
    },
    admin: () => Person.admin(market, unique("Amina")),
  };
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  settings: [{ DEMO: "1" }, { scope: "worker", option: true }],

  store: ["own", { scope: "worker", option: true }],

  servers: [
    async ({ store }, use) => {
      const servers = store === "shared" ? await Servers.start() : null;
      await use(servers);
      await servers?.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],

  market: [
    async ({ settings, servers }, use) => {
      const market = await Market.start(settings, servers);
      await use(market);
      await market.discard();
    },
    { scope: "worker", timeout: 60_000 },
  ],

  chief: [
    async ({ market }, use, { workerIndex }) => use(await Person.admin(market, `Chief ${workerIndex}`)),
    { scope: "worker" },
  ],

  brand: [
    async ({ chief }, use) => {
      const [brand] = await chief.brands();
      if (!brand) throw new Error("a new store starts with brands");
      await use(brand);
    },
    { scope: "worker" },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  unique: async ({}, use, { workerIndex }) => {
    await use((name) => {
      count += 1;
      return `${name} ${workerIndex}${String(count).padStart(3, "0")}`;
    });
  },

  people: async ({ market, unique, chief }, use) => use(peopleOf(market, unique, chief)),

  ownMarket: async ({ unique, servers }, use) => {
    const started: Market[] = [];
    await use(async (settings) => {
      const market = await Market.start(settings, servers);
      started.push(market);
      const chief = await Person.admin(market, unique("Chief"));
      const [brand] = await chief.brands();
      if (!brand) throw new Error("a new store starts with brands");
      return { market, chief, brand, people: peopleOf(market, unique, chief) };
    });
    for (const market of started) await market.discard();
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  problems: async ({}, use) => {
    const problems = new Problems();
    await use(problems);
    expect(problems.unexpected(), "console errors, page errors and policy violations").toEqual([]);
  },

  visit: async ({ browser, market, problems }, use) => {
    const open: Page[] = [];
    await use(async (person, options) => {
      const baseURL = (person?.market ?? market).next("window");
      const context = await browser.newContext({ baseURL, ...options });
      if (person) await context.addCookies(await person.cookies());
      const page = await context.newPage();
      await problems.watch(page);
      await watchShifts(page);
      open.push(page);
      return page;
    });
    for (const page of open) await page.context().close();
  },

  // Asks for `visit` so that the windows are still open when it looks at them.
  stay: async ({ visit: _windows }, use, info) => {
    const marked: Page[] = [];
    await use(async (page) => {
      await page.evaluate(() => {
        window.unbroken = true;
      });
      marked.push(page);
    });
    if (info.status !== info.expectedStatus) return;
    for (const page of marked) {
      expect(await page.evaluate(() => window.unbroken), "the page was not reloaded").toBe(true);
    }
  },
});

export { expect };
