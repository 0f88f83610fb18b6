import { expect, type Locator, type Page } from "@playwright/test";
import { ConfirmDialog } from "./dialogs";
import { Site } from "./Site";

/** The frame of the dashboard's screens, and its tables. */
export class Dashboard extends Site {
  readonly menu: Locator;
  readonly table: Locator;

  constructor(page: Page) {
    super(page);
    this.menu = page.getByRole("navigation", { name: "Dashboard" });
    this.table = page.getByRole("table");
  }

  async open(path = ""): Promise<this> {
    await this.page.goto(`/dashboard${path && `/${path}`}`);
    return this;
  }

  /** Goes to another screen by the side menu. */
  async choose(item: string): Promise<void> {
    await this.menu.getByRole("link", { name: item, exact: true }).click();
  }

  /** The row that names this phone or person. */
  row(name: string): Locator {
    return this.table.getByRole("row").filter({ has: this.page.getByText(name, { exact: true }) });
  }

  /** A button in that row. */
  button(row: string, name: string): Locator {
    return this.row(row).getByRole("button", { name, exact: true });
  }

  /** Checks the header words, in order. */
  async expectColumns(...names: string[]): Promise<void> {
    await expect(this.table.getByRole("columnheader")).toHaveText(names);
  }

  /** Presses Delete in a row and confirms it in the dialog. */
  async remove(row: string, question: string): Promise<void> {
    await this.button(row, "Delete").click();
    await new ConfirmDialog(this.page, question).confirm();
  }

  /** Presses Make Verified in a seller's row and confirms it in the dialog. */
  async verify(seller: string): Promise<void> {
    await this.button(seller, "Make Verified").click();
    await new ConfirmDialog(this.page, `Verify ${seller}?`).confirm("Make Verified");
  }

  /** Presses Take back in a seller's row and confirms it in the dialog. */
  async takeBadge(seller: string): Promise<void> {
    await this.button(seller, "Take back").click();
    await new ConfirmDialog(this.page, "Are you sure you want to take the badge back?").confirm("Take back");
  }
}
