import type { Locator, Page } from "@playwright/test";

/** The dialog that Book Now opens. */
export class BookingDialog {
  readonly root: Locator;
  readonly phone: Locator;
  readonly location: Locator;
  readonly confirm: Locator;

  constructor(page: Page) {
    this.root = page.getByRole("dialog");
    this.phone = this.root.locator("[name=phone]");
    this.location = this.root.locator("[name=location]");
    this.confirm = this.root.locator("[type=submit]");
  }

  async book(phone: string, location = ""): Promise<void> {
    await this.phone.fill(phone);
    await this.location.fill(location);
    await this.confirm.click();
  }
}

/** The dialog that Report To Admin opens. */
export class ReportDialog {
  readonly root: Locator;
  readonly reason: Locator;
  readonly send: Locator;

  constructor(page: Page) {
    this.root = page.getByRole("dialog");
    this.reason = this.root.locator("[name=reason]");
    this.send = this.root.locator("[type=submit]");
  }

  async report(reason: string): Promise<void> {
    await this.reason.fill(reason);
    await this.send.click();
  }
}

/** The dialog that asks before a deletion or another action. */
export class ConfirmDialog {
  readonly root: Locator;

  constructor(page: Page, question: string) {
    this.root = page.getByRole("alertdialog", { name: question, exact: true });
  }

  async confirm(button = "Delete"): Promise<void> {
    await this.root.getByRole("button", { name: button, exact: true }).click();
  }

  async cancel(): Promise<void> {
    await this.root.getByRole("button", { name: "Cancel", exact: true }).click();
  }
}
