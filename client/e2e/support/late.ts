import type { Page, Route } from "@playwright/test";
import { painted } from "./shifts";

/**
 * Has the answers of calls come one at a time, each after what the one before brought has been painted:
 * whatever a slow server can put between two paints is between them then.
 */
export class LateAnswers {
  private readonly waiting: Route[] = [];
  private isFree = false;

  static async of(page: Page): Promise<LateAnswers> {
    const answers = new LateAnswers(page);
    await page.route("**/*", async (route) => {
      const isCall = ["fetch", "xhr"].includes(route.request().resourceType());
      if (isCall && !answers.isFree) answers.waiting.push(route);
      else await route.fallback();
    });
    return answers;
  }

  private constructor(private readonly page: Page) {}

  /** Opens a screen; none of its answers come. */
  async open(path: string): Promise<void> {
    this.isFree = false;
    await this.page.goto(path);
    await this.page.locator("nav").first().waitFor({ state: "attached" });
  }

  /** Gives the answers, one after another, until `there` resolves. */
  async give(there: Promise<unknown>): Promise<void> {
    let isThere = false;
    const end = () => {
      isThere = true;
    };
    void there.then(end, end);
    while (!isThere) {
      await painted(this.page);
      await this.waiting.shift()?.fallback();
    }
    await there;
  }

  /** Holds nothing any more. */
  async release(): Promise<void> {
    this.isFree = true;
    for (const route of this.waiting.splice(0)) await route.fallback();
  }
}
