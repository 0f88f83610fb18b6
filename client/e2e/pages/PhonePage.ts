import type { Locator, Page } from "@playwright/test";
import { ProductCard } from "./CategoryPage";
import { Site } from "./Site";

/** /phone/{id} */
export class PhonePage extends Site {
  readonly more: Locator;
  /** The strip of photographs; its name contains the number of the visible one. */
  readonly strip: Locator;

  constructor(page: Page) {
    super(page);
    this.more = page.getByRole("region", { name: /^More from / });
    this.strip = page.getByRole("group", { name: /^Photo/ });
  }

  async open(phone: { _id: string }): Promise<this> {
    await this.page.goto(`/phone/${phone._id}`);
    return this;
  }

  /** The page has the same buttons and labels as a phone's card. */
  phone(name: string): ProductCard {
    return new ProductCard(this.page, this.page.getByRole("article", { name, exact: true }));
  }
}
