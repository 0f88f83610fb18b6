import { type BrowserContext, expect, type Page, type WebSocketRoute } from "@playwright/test";
import { blockLiveSocket, dropResponse } from "./networkTraffic";
import { translatePages } from "./translation";

/** What happens to a browser during a journey. */
export interface Condition {
  name: string;
  /** Changes the page before it is opened. The result is called right before the button is pressed that ends the journey. */
  apply(page: Page): Promise<() => Promise<void>>;
  /** The answer to that button is lost. */
  losesAnswer?: boolean;
}

const HOUR = 3_600_000;

/** The page's clock is this many milliseconds ahead of the server's; behind it if negative. */
export async function shiftClock(context: BrowserContext, by: number): Promise<void> {
  await context.addInitScript((ms) => {
    const now = Date.now.bind(Date);
    window.Date = new Proxy(Date, {
      construct: (date, args, target) => Reflect.construct(date, args.length ? args : [now() + ms], target),
      apply: (date) => new date(now() + ms).toString(),
      get: (date, name) => (name === "now" ? () => now() + ms : Reflect.get(date, name)),
    });
  }, by);
}

/** The next call that creates something, pays or signs in reaches the server, and its answer is lost. */
export async function loseNextAnswer(page: Page): Promise<void> {
  const isWrite = ({ pathname }: URL) =>
    /\/(sign-in|sign-up|bookings|confirm|products|reportedItems)$/.test(pathname);
  let isLost = false;
  await page.route(isWrite, async (route) => {
    if (isLost || route.request().method() === "GET") return route.fallback();
    isLost = true;
    await dropResponse(route);
  });
}

/** A computer that sleeps: its page does not run, it has no network, and its sockets are dead without being closed. */
export class SleepingMachine {
  private readonly sockets: WebSocketRoute[] = [];
  private readonly dead = new Set<WebSocketRoute>();

  /** To be called before the page is opened. */
  static async of(page: Page): Promise<SleepingMachine> {
    const machine = new SleepingMachine(page);
    await page.routeWebSocket(/\/live$/, (socket) => {
      const server = socket.connectToServer();
      machine.sockets.push(socket);
      socket.onMessage((message) => machine.dead.has(socket) || server.send(message));
      server.onMessage((message) => machine.dead.has(socket) || socket.send(message));
      // A dead socket is not closed by its server either.
      server.onClose((code, reason) => machine.dead.has(socket) || void socket.close({ code, reason }));
    });
    return machine;
  }

  private constructor(private readonly page: Page) {}

  async sleep(): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    for (const socket of this.sockets) this.dead.add(socket);
    await this.page.context().setOffline(true);
    await session.send("Page.setWebLifecycleState", { state: "frozen" });
    await session.detach();
  }

  async wake(): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    await session.send("Page.setWebLifecycleState", { state: "active" });
    await this.page.context().setOffline(false);
    await session.detach();
  }
}

/**
 * The browser keeps no cookies, as Chrome with its setting 'Block all cookies': none is sent or stored, scripts cannot write
 * any, `navigator.cookieEnabled` is false, and reading the storages throws an exception.
 */
export async function blockCookies(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setDocumentCookieDisabled", { disabled: true });
  await page.context().route("**/*", async (route) => {
    const { cookie: _sent, ...headers } = await route.request().allHeaders();
    const response = await route.fetch({ headers, maxRedirects: 0 });
    const { "set-cookie": _stored, ...answered } = response.headers();
    await route.fulfill({ response, headers: answered });
  });
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"] as const) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException(`Access to '${name}' is denied for this document.`, "SecurityError");
        },
      });
    }
  });
}

const nothing = async () => {};

/** The conditions under which every journey of a person has to end well. */
export const CONDITIONS: Condition[] = [
  { name: "as usual", apply: async () => nothing },
  {
    name: "on a translated page",
    apply: async (page) => {
      await translatePages(page.context());
      return nothing;
    },
  },
  ...[2, -2].map((hours) => ({
    name: `with a clock that is two hours ${hours > 0 ? "ahead" : "behind"}`,
    apply: async (page: Page) => {
      await shiftClock(page.context(), hours * HOUR);
      return nothing;
    },
  })),
  {
    name: "with a lost answer",
    losesAnswer: true,
    apply: async (page) => () => loseNextAnswer(page),
  },
  {
    name: "with a lost answer and no live connection",
    losesAnswer: true,
    apply: async (page) => {
      await blockLiveSocket(page);
      return () => loseNextAnswer(page);
    },
  },
  {
    name: "after the computer slept",
    apply: async (page) => {
      const machine = await SleepingMachine.of(page);
      return async () => {
        await expect(page.getByRole("contentinfo")).toBeVisible();
        await machine.sleep();
        await machine.wake();
      };
    },
  },
];
