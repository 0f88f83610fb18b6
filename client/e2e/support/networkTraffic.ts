import { type BrowserContext, expect, type Page, type Route } from "@playwright/test";

/** The calls of a payment, by what they do. */
export const calls = {
  secret: /\/create-payment-intent$/,
  /** How the payment stands, asked of the card provider. */
  look: /\/v1\/payment_intents\/[^/]+\?/,
  confirm: /\/v1\/payment_intents\/[^/]+\/confirm$/,
  record: /\/payments$/,
};

/** Counts the calls of a payment that a page's window, with all its tabs, sends. */
export class Traffic {
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

/** A gate before a call: what is sent waits there until it is opened. */
export class Gate {
  /** How many calls have come to it. */
  arrived = 0;
  private release = () => {};
  private readonly opened: Promise<void>;

  private constructor() {
    this.opened = new Promise((done) => {
      this.release = done;
    });
  }

  /** Puts one up before the server, or behind it: there the answers wait, and what was asked for is done. */
  static async put(where: "before" | "behind", window: Page | BrowserContext, call: keyof typeof calls) {
    const gate = new Gate();
    await window.route(calls[call], async (route) => {
      const answer = where === "behind" ? await route.fetch() : null;
      gate.arrived += 1;
      await gate.opened;
      if (answer) await route.fulfill({ response: answer });
      else await route.continue();
    });
    return gate;
  }

  /** Waits until so many calls have come. */
  async reached(times = 1): Promise<void> {
    await expect.poll(() => this.arrived, { message: "calls at the gate" }).toBe(times);
  }

  open(): void {
    this.release();
  }
}

/** Takes a call to the server and loses the answer on the way back. */
export async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort("connectionreset");
}

/** Keeps a page that is yet to be opened from hearing anything live. */
export async function deaf(page: Page): Promise<void> {
  await page.routeWebSocket(/\/live$/, () => undefined);
}
