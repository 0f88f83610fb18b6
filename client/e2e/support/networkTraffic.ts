import { type BrowserContext, expect, type Page, type Route } from "@playwright/test";

/** The paths of the requests of a payment, by purpose. */
export const paymentPaths = {
  secret: /\/create-payment-intent$/,
  /** Reads the payment's status from the card provider. */
  status: /\/v1\/payment_intents\/[^/]+\?/,
  confirm: /\/v1\/payment_intents\/[^/]+\/confirm$/,
  record: /\/payments$/,
};

/** Counts the payment requests that the tabs of a page's browser context send. */
export class PaymentRequests {
  private readonly paths: string[] = [];

  constructor(page: Page) {
    page.context().on("request", (request) => {
      if (request.method() === "POST") this.paths.push(new URL(request.url()).pathname);
    });
  }

  /** How often a request was sent. */
  count(name: keyof typeof paymentPaths): number {
    return this.paths.filter((path) => paymentPaths[name].test(path)).length;
  }

  /** The IDs of the payment intents that were confirmed, without repetitions. */
  intents(): string[] {
    const confirms = this.paths.filter((path) => paymentPaths.confirm.test(path));
    return [...new Set(confirms.map((path) => path.split("/").at(-2) as string))];
  }
}

/** Holds requests or their responses until `open` is called. */
export class RequestGate {
  /** The number of requests that arrived here. */
  arrived = 0;
  private release = () => {};
  private readonly opened: Promise<void>;

  private constructor() {
    this.opened = new Promise((done) => {
      this.release = done;
    });
  }

  /** Holds the requests before they reach the server, or the server's responses to them. */
  static async install(
    held: "request" | "response",
    target: Page | BrowserContext,
    name: keyof typeof paymentPaths,
  ) {
    const gate = new RequestGate();
    await target.route(paymentPaths[name], async (route) => {
      const response = held === "response" ? await route.fetch() : null;
      gate.arrived += 1;
      await gate.opened;
      if (response) await route.fulfill({ response });
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
