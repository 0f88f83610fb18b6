import type { Page, Route } from "@playwright/test";
import { afterPaint } from "./layoutShifts";

/**
 * Delivers the responses of a page's API calls one at a time, each after the previous one has been painted: the worst
 * order that a slow server can produce.
 */
export class DelayedResponses {
  private readonly waiting: Route[] = [];
  private isReleased = false;

  static async of(page: Page): Promise<DelayedResponses> {
    const responses = new DelayedResponses(page);
    await page.route("**/*", async (route) => {
      const isApiCall = ["fetch", "xhr"].includes(route.request().resourceType());
      if (isApiCall && !responses.isReleased) responses.waiting.push(route);
      else await route.fallback();
    });
    return responses;
  }

  private constructor(private readonly page: Page) {}

  /** Opens a screen and holds all its responses. */
  async open(path: string): Promise<void> {
    this.isReleased = false;
    await this.page.goto(path);
    await this.page.locator("nav").first().waitFor({ state: "attached" });
  }

  /** Delivers responses one after another until the condition is fulfilled. */
  async releaseUntil(condition: Promise<unknown>): Promise<void> {
    let isDone = false;
    const finish = () => {
      isDone = true;
    };
    void condition.then(finish, finish);
    while (!isDone) {
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
