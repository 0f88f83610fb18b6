import { expect, type Locator, type Page } from "@playwright/test";
import { Dashboard } from "./Dashboard";

/** /dashboard/order/{id} */
export class OrderPage extends Dashboard {
  /** The code that the buyer shows, six digits. */
  readonly shownCode: Locator;
  readonly qrCode: Locator;
  /** The field in which the seller enters the code. */
  readonly code: Locator;
  /** The steps that have happened, and those to come. */
  readonly timeline: Locator;

  constructor(page: Page) {
    super(page);
    this.shownCode = page.getByRole("main").locator("output");
    this.qrCode = page.getByRole("img", { name: /^QR code/ });
    this.code = page.getByLabel("Code", { exact: true });
    this.timeline = page.getByRole("region", { name: "Timeline" }).getByRole("listitem");
  }

  override async open(order: string, hash = ""): Promise<this> {
    return super.open(`order/${order}${hash}`);
  }

  action(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** Presses a button, and the button of the same name in the confirmation dialog. */
  async confirm(name: string): Promise<void> {
    await this.action(name).click();
    await this.page.getByRole("alertdialog").getByRole("button", { name, exact: true }).click();
  }

  /** The buyer asks for a code. Resolves to it. */
  async showCode(): Promise<string> {
    await this.action("Show the handover code").click();
    await expect(this.shownCode).toHaveText(/^\s*\d{3}\s*\d{3}\s*$/);
    return (await this.shownCode.innerText()).replace(/\s/g, "");
  }

  /** The seller corrects the tracking number, in its dialog. */
  async correctTracking(tracking: string): Promise<void> {
    await this.action("Correct the tracking number").click();
    const dialog = this.page.getByRole("dialog", { name: "Correct the tracking number" });
    await dialog.getByLabel("Tracking number").fill(tracking);
    await dialog.getByRole("button", { name: "Correct", exact: true }).click();
    await expect(dialog).toBeHidden();
  }

  /** The buyer reports a problem, in its dialog. */
  async reportProblem(reason: string): Promise<void> {
    await this.action("Report a problem").click();
    const dialog = this.page.getByRole("dialog", { name: "Report a problem" });
    await dialog.getByLabel("What is wrong?").fill(reason);
    await dialog.getByRole("button", { name: "Report a problem" }).click();
  }

  /** An admin decides, in a dialog. */
  async decide(decision: "Refund" | "Release", reason: string): Promise<void> {
    const name = new RegExp(`^${decision} .*\\$\\d`);
    await this.page.getByRole("main").getByRole("button", { name }).click();
    const dialog = this.page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill(reason);
    await dialog.getByRole("button", { name }).click();
  }
}
