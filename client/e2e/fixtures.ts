import { type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { Problems } from "./support/consoleProblems";
import { EmailServer } from "./support/emailServer";
import { watchShifts } from "./support/layoutShifts";
import { Market } from "./support/market";
import { type Brand, Person } from "./support/person";
import { Servers } from "./support/servers";
import { translatePages } from "./support/translation";

/** Creates the users of one test, each with a unique name. */
export interface People {
  buyer(name?: string): Promise<Person>;
  seller(name?: string): Promise<Person>;
  verifiedSeller(name?: string): Promise<Person>;
  admin(): Promise<Person>;
}

/** A market for one test, with its admin and users. */
interface MarketFixture {
  market: Market;
  adminUser: Person;
  brand: Brand;
  people: People;
}

/** What a project may set for each of its tests. */
export interface TestOptions {
  /** Whether the browser translates all pages; with TRANSLATED=1 those of all tests. */
  isTranslated: boolean;
}

interface TestFixtures extends TestOptions {
  /** The brand with the fewest phones: its list is short enough for one page. */
  brand: Brand;
  /** A name that no other test uses. */
  unique: (name: string) => string;
  people: People;
  /** Starts a market for this test only, with an empty database; the test may stop it. */
  ownMarket: (settings?: Record<string, string>) => Promise<MarketFixture>;
  /** An SMTP server; a market of the test's own sends email there with `emailServer.settings()`. */
  emailServer: EmailServer;
  /** Opens a page in a new browser context, signed in as the person or as a visitor; with several nodes, at the next one. */
  visit: (person?: Person | null, options?: BrowserContextOptions) => Promise<Page>;
  /** The errors of all pages; a test may declare expected ones. */
  problems: Problems;
  /** Checks at the end of the test that a page was not reloaded since this call. */
  markPage: (page: Page) => Promise<void>;
}

/** What a project may set for all its tests. */
export interface ProjectOptions {
  /** One process with its own database file, or several nodes with shared servers. */
  store: "own" | "shared";
}

interface WorkerFixtures extends ProjectOptions {
  /** The servers that the nodes of a market share; null if a market is one process. */
  servers: Servers | null;
  /** Settings of this worker's market. */
  settings: Record<string, string>;
  /** A running demo, shared by the tests of one worker; each test creates its own users and phones. */
  market: Market;
  /** An admin, created by the command `admin create`. */
  adminUser: Person;
}

declare global {
  interface Window {
    /** Set by `markPage`; a reload removes it. */
    notReloaded?: boolean;
  }
}

let count = 0;

function peopleOf(market: Market, unique: (name: string) => string, adminUser: Person): People {
  const seller = (name = "Selim") => Person.signUp(market, unique(name), "Seller");
  return {
    buyer: (name = "Bashir") => Person.signUp(market, unique(name), "User"),
    seller,
    verifiedSeller: async (name) => {
      const person = await seller(name);
      await adminUser.verify(person);
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
    { scope: "worker", timeout: 600_000 },
  ],

  market: [
    async ({ settings, servers }, use) => {
      const market = await Market.start(settings, servers);
      await use(market);
      await market.discard();
    },
    { scope: "worker", timeout: 600_000 },
  ],

  adminUser: [
    async ({ market }, use, { workerIndex }) => use(await Person.admin(market, `Chief ${workerIndex}`)),
    { scope: "worker" },
  ],

  brand: async ({ adminUser }, use) => {
    const brands = await adminUser.brands();
    const [brand] = brands.toSorted((a, b) => (a.available ?? 0) - (b.available ?? 0));
    if (!brand) throw new Error("a new store starts with brands");
    await use(brand);
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  unique: async ({}, use, { workerIndex }) => {
    await use((name) => {
      count += 1;
      return `${name} ${workerIndex}${String(count).padStart(3, "0")}`;
    });
  },

  people: async ({ market, unique, adminUser }, use) => use(peopleOf(market, unique, adminUser)),

  ownMarket: async ({ unique, servers }, use) => {
    const started: Market[] = [];
    await use(async (settings) => {
      const market = await Market.start(settings, servers);
      started.push(market);
      const adminUser = await Person.admin(market, unique("Chief"));
      const [brand] = await adminUser.brands();
      if (!brand) throw new Error("a new store starts with brands");
      return { market, adminUser, brand, people: peopleOf(market, unique, adminUser) };
    });
    for (const market of started) await market.discard();
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  emailServer: async ({}, use) => {
    const emailServer = await EmailServer.open();
    await use(emailServer);
    await emailServer.stop();
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  problems: async ({}, use) => {
    const problems = new Problems();
    await use(problems);
    expect(problems.unexpected(), "console errors, page errors and policy violations").toEqual([]);
  },

  isTranslated: [Boolean(process.env.TRANSLATED), { option: true }],

  visit: async ({ browser, market, problems, isTranslated }, use) => {
    const pages: Page[] = [];
    await use(async (person, options) => {
      const baseURL = (person?.market ?? market).nextUrl("page");
      const context = await browser.newContext({ baseURL, ...options });
      if (isTranslated) await translatePages(context);
      if (person) await context.addCookies(await person.cookies());
      const page = await context.newPage();
      await problems.attach(page);
      await watchShifts(page);
      pages.push(page);
      return page;
    });
    for (const page of pages) await page.context().close();
  },

  // Depends on `visit`, so that the pages are still open at the end.
  markPage: async ({ visit: _pages }, use, info) => {
    const marked: Page[] = [];
    await use(async (page) => {
      await page.evaluate(() => {
        window.notReloaded = true;
      });
      marked.push(page);
    });
    if (info.status !== info.expectedStatus) return;
    for (const page of marked) {
      expect(await page.evaluate(() => window.notReloaded), "the page was not reloaded").toBe(true);
    }
  },
});

export { expect };
