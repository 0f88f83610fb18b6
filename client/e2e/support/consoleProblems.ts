import type { ConsoleMessage, Page } from "@playwright/test";

/** Collects what went wrong in the windows of one test; whatever the test did not expect fails it. */
export class Problems {
  private readonly seen: string[] = [];
  private readonly expected: RegExp[] = [];

  /** Console errors like this belong to what the test is about. */
  expect(...patterns: RegExp[]): void {
    this.expected.push(...patterns);
  }

  /** All that nobody expected. */
  unexpected(): string[] {
    return this.seen.filter((line) => !this.expected.some((pattern) => pattern.test(line)));
  }

  /** Listens to a page's console, its uncaught errors and its content security policy. */
  async watch(page: Page): Promise<void> {
    page.on("pageerror", (error) => this.seen.push(`page error: ${error.stack ?? error.message}`));
    page.on("console", (message) => this.note(message));
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
        throw new Error(`policy violation: ${violatedDirective} ${blockedURI}`);
      });
    });
  }

  private note(message: ConsoleMessage): void {
    if (message.type() === "error") this.seen.push(`error: ${message.text()} ${message.location().url}`);
  }
}
