import { expect, type Locator, type Page } from "@playwright/test";

/** What every screen has around it: navigation bar, footer, toasts, the sign of live. */
export class Site {
  readonly nav: Locator;
  readonly footer: Locator;
  readonly signOut: Locator;
  /** Shown only while live is away. */
  readonly liveSign: Locator;

  constructor(readonly page: Page) {
    this.nav = page.getByRole("navigation", { name: "Main" });
    this.footer = page.getByRole("contentinfo");
    this.signOut = page.getByRole("button", { name: "SignOut", exact: true });
    this.liveSign = page
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

  /** Waits until the client has taken the place of the still that its page brings, which takes no keys. */
  async expectLive(): Promise<void> {
    await expect(this.page.locator("#root")).not.toHaveAttribute("inert");
  }

  /** Waits until the sign of live has come and gone again. */
  async waitForReconnect(): Promise<void> {
    await expect(this.liveSign).toBeVisible({ timeout: 15_000 });
    await expect(this.liveSign).toBeHidden({ timeout: 30_000 });
  }
}
