import type { ConsoleMessage, Page } from "@playwright/test";

/** Collects the errors on all pages of one test. An error that the test does not expect fails it. */
export class Problems {
  private readonly messages: string[] = [];
  private readonly expected: RegExp[] = [];

  /** Declares expected console errors. */
  expect(...patterns: RegExp[]): void {
    this.expected.push(...patterns);
  }

  /** The errors that were not expected. */
  unexpected(): string[] {
    return this.messages.filter((message) => !this.expected.some((pattern) => pattern.test(message)));
  }

  /** Listens to a page's console, its uncaught errors and its content security policy. */
  async attach(page: Page): Promise<void> {
    page.on("pageerror", (error) => this.messages.push(`page error: ${error.stack ?? error.message}`));
    page.on("console", (message) => this.addMessage(message));
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
        throw new Error(`policy violation: ${violatedDirective} ${blockedURI}`);
      });
    });
  }

  private addMessage(message: ConsoleMessage): void {
    if (message.type() === "error") this.messages.push(`error: ${message.text()} ${message.location().url}`);
  }
}
