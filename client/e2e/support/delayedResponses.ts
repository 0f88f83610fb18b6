import type { Page, Route } from "@playwright/test";
import { afterPaint } from "./layoutShifts";

/**
 * Delivers the responses of a page's calls one at a time, each after the previous one has been painted: the worst
 * order that a slow server can produce.
 */
export class DelayedResponses {
  private readonly waiting: Route[] = [];
  private isReleased = false;

  static async of(page: Page): Promise<DelayedResponses> {
    const delayed = new DelayedResponses(page);
    await page.route("**/*", async (route) => {
      const isCall = ["fetch", "xhr"].includes(route.request().resourceType());
      if (isCall && !delayed.isReleased) delayed.waiting.push(route);
      else await route.fallback();
    });
    return delayed;
  }

  private constructor(private readonly page: Page) {}

  /** Opens a screen and holds all its responses. */
  async open(path: string): Promise<void> {
    this.isReleased = false;
    await this.page.goto(path);
    await this.page.locator("nav").first().waitFor({ state: "attached" });
  }

  /** Delivers responses one after another until `there` resolves. */
  async releaseUntil(condition: Promise<unknown>): Promise<void> {
    let isThere = false;
    const end = () => {
      isThere = true;
    };
    void condition.then(end, end);
    while (!isThere) {
      await afterPaint(this.page);
      await this.waiting.shift()?.fallback();
    }
    await condition;
  }

  /** Delivers all held responses and holds no others. */
  async release(): Promise<void> {
    this.isReleased = true;
    for (const route of this.waiting.splice(0)) await route.fallback();
  }
}
