import { type BrowserContext, expect, type Page, type Route } from "@playwright/test";

/** The calls of a payment, by purpose. */
export const calls = {
  secret: /\/create-payment-intent$/,
  /** Reads the payment's status from the card provider. */
  status: /\/v1\/payment_intents\/[^/]+\?/,
  confirm: /\/v1\/payment_intents\/[^/]+\/confirm$/,
  record: /\/payments$/,
};

/** Counts the calls of a payment that a page's window, with all its tabs, sends. */
export class SentRequests {
  private readonly sent: string[] = [];

  constructor(page: Page) {
    page.context().on("request", (request) => {
      if (request.method() === "POST") this.sent.push(new URL(request.url()).pathname);
    });
  }

  /** How often a call was sent. */
  count(call: keyof typeof calls): number {
    return this.sent.filter((path) => calls[call].test(path)).length;
  }

  /** The different payments that were confirmed. */
  intents(): string[] {
    const confirms = this.sent.filter((path) => calls.confirm.test(path));
    return [...new Set(confirms.map((path) => path.split("/").at(-2) as string))];
  }
}

/** Holds the requests of a call until `open` is called. */
export class RequestGate {
  /** The number of held requests. */
  arrived = 0;
  private release = () => {};
  private readonly opened: Promise<void>;

  private constructor() {
    this.opened = new Promise((done) => {
      this.release = done;
    });
  }

  /** Holds the requests before the server, or, with "behind", the responses after the server has done its work. */
  static async install(where: "before" | "behind", window: Page | BrowserContext, call: keyof typeof calls) {
    const gate = new RequestGate();
    await window.route(calls[call], async (route) => {
      const answer = where === "behind" ? await route.fetch() : null;
      gate.arrived += 1;
      await gate.opened;
      if (answer) await route.fulfill({ response: answer });
      else await route.continue();
    });
    return gate;
  }

  /** Waits until this many requests are held. */
  async waitForRequests(times = 1): Promise<void> {
    await expect.poll(() => this.arrived, { message: "held requests" }).toBe(times);
  }

  open(): void {
    this.release();
  }
}

/** Sends a request to the server and drops its response. */
export async function dropResponse(route: Route): Promise<void> {
  await route.fetch();
  await route.abort("connectionreset");
}

/** Blocks the live connection of a page; to be called before it is opened. */
export async function blockLiveSocket(page: Page): Promise<void> {
  await page.routeWebSocket(/\/live$/, () => undefined);
}
