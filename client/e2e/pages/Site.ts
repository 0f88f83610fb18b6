import { expect, type Locator, type Page } from "@playwright/test";

/** The parts of every screen: navigation bar, footer, toasts, the connection banner. */
export class Site {
  readonly nav: Locator;
  readonly footer: Locator;
  readonly signOut: Locator;
  /** Visible only while live updates are interrupted. */
  readonly connectionBanner: Locator;

  constructor(readonly page: Page) {
    this.nav = page.getByRole("navigation", { name: "Main" });
    this.footer = page.getByRole("contentinfo");
    this.signOut = page.getByRole("button", { name: "SignOut", exact: true });
    this.connectionBanner = page
      .getByRole("status", { name: "Live updates" })
      .getByText(/offline|Connecting|Reconnecting|stopped/);
  }

  heading(name: string): Locator {
    return this.page.getByRole("heading", { name, exact: true });
  }

  toast(text: string): Locator {
    return this.page.getByRole("status", { name: "Messages" }).getByText(text, { exact: true });
  }

  link(name: string): Locator {
    return this.nav.getByRole("link", { name, exact: true });
  }

  /** Waits until React has replaced the static bar of index.html, which comes without a footer. */
  async waitUntilInteractive(): Promise<void> {
    await expect(this.footer).toBeVisible();
  }

  /** Waits until the connection banner has appeared and disappeared. */
  async waitForReconnect(): Promise<void> {
    await expect(this.connectionBanner).toBeVisible();
    await expect(this.connectionBanner).toBeHidden();
  }
}
