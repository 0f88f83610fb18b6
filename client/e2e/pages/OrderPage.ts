import { expect, type Locator, type Page } from "@playwright/test";
import type { Photograph } from "./AddProductPage";
import { Dashboard } from "./Dashboard";

interface Report {
  /** Words of the category. */
  category?: string;
  photos?: readonly Photograph[];
}

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
  async reportProblem(reason: string, { category = "Something else", photos }: Report = {}): Promise<void> {
    await this.write("Report a problem", "What is wrong?", reason, async (dialog) => {
      await dialog.getByLabel(category).check();
      if (photos) await this.addPhotos(dialog, photos);
    });
  }

  /** The seller answers the problem, in its dialog. */
  async answerProblem(answer: string, photos: readonly Photograph[] = []): Promise<void> {
    await this.write("Answer the problem", "Your answer", answer, (dialog) => this.addPhotos(dialog, photos));
  }

  /** Opens the dialog of a step, writes the text, does the rest, and sends it. */
  private async write(
    step: string,
    label: string,
    text: string,
    fillIn: (dialog: Locator) => Promise<void>,
  ): Promise<void> {
    await this.action(step).click();
    const dialog = this.page.getByRole("dialog", { name: step });
    await dialog.getByLabel(label).fill(text);
    await fillIn(dialog);
    await dialog.getByRole("button", { name: step }).click();
  }

  /** Adds photographs in a dialog, and waits until they are uploaded. */
  private async addPhotos(dialog: Locator, photos: readonly Photograph[]): Promise<void> {
    if (photos.length === 0) return;
    await dialog.getByLabel("Add photographs").setInputFiles([...photos]);
    await expect(dialog.getByText("Uploaded", { exact: true })).toHaveCount(photos.length);
  }

  /** A photograph of what was said, by its place and what it is of. */
  photo(name: string): Locator {
    return this.page.getByRole("main").getByRole("img", { name });
  }

  /** Expects that a photograph has loaded. */
  async expectPhoto(name: string): Promise<void> {
    await expect(this.photo(name)).toBeVisible();
    await expect
      .poll(() => this.photo(name).evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
  }

  /** An admin decides, in a dialog. */
  async decide(decision: "Refund" | "Release" | "Return first", reason: string): Promise<void> {
    const name = decision === "Return first" ? /^Return first/ : new RegExp(`^${decision} .*\\$\\d`);
    await this.page.getByRole("main").getByRole("button", { name }).click();
    const dialog = this.page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill(reason);
    await dialog.getByRole("button", { name }).click();
  }
}
