import type { Locator, Page } from "@playwright/test";
import { Dashboard } from "./Dashboard";

/** /dashboard/myProducts/{id} */
export class EditPhonePage extends Dashboard {
  readonly save: Locator;
  /** The photographs, in their order. */
  readonly photos: Locator;

  constructor(page: Page) {
    super(page);
    this.save = page.getByRole("button", { name: "Save changes" });
    this.photos = page.getByRole("list", { name: "Chosen photos" }).getByRole("listitem");
  }

  override async open(id = ""): Promise<this> {
    await super.open(`myProducts/${id}`);
    await this.save.waitFor();
    return this;
  }

  field(name: string): Locator {
    return this.page.locator(`main form [name="${name}"]`);
  }

  /** The description of a photograph; counted from 1. */
  alt(position: number): Locator {
    return this.page.getByLabel(`What photo ${position} shows`);
  }

  /** A button of a photograph, e.g. press("Move", 2, "forward"). */
  async press(action: "Move" | "Remove", position: number, direction = ""): Promise<void> {
    const name = `${action} photo ${position}${direction && ` ${direction}`}`;
    await this.page.getByRole("button", { name, exact: true }).click();
  }

  /** Drags a photograph by its picture onto another; counted from 1. */
  async drag(from: number, onto: number): Promise<void> {
    const dragHandle = (position: number) => this.photos.nth(position - 1).getByTitle("Drag to reorder");
    await dragHandle(from).hover();
    await this.page.mouse.down();
    await dragHandle(onto).hover();
    await this.page.mouse.up();
  }
}
