import type { Locator, Page } from "@playwright/test";
import { Dashboard } from "./Dashboard";

/** A file as Playwright uploads it. */
export interface Photograph {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** What the form asks for; controls are found by their names in the payload. */
export interface NewPhone {
  name: string;
  brand: string;
  originalPrice: string;
  resalePrice: string;
  productCondition: "Excellent" | "Good" | "Fair";
  usedTime: string;
  description: string;
  location: string;
  phone: string;
  selling_post_date: string;
  image: Photograph;
}

/** /dashboard/addProduct */
export class AddProductPage extends Dashboard {
  readonly submit: Locator;

  constructor(page: Page) {
    super(page);
    this.submit = page.locator("main form [type=submit]");
  }

  override async open(): Promise<this> {
    return super.open("addProduct");
  }

  field(name: string): Locator {
    return this.page.locator(`main form [name="${name}"]`);
  }

  /** Shows the folded fields: the date, and who sells. */
  async unfold(): Promise<void> {
    const summary = this.page.locator("main form summary");
    await summary.waitFor();
    if (!(await this.field("selling_post_date").isVisible())) await summary.click();
  }

  /** Fills everything but the photographs. */
  async fill({ brand, productCondition, ...texts }: Omit<NewPhone, "image">): Promise<void> {
    await this.unfold();
    await this.field("brand").selectOption(brand);
    await this.field("productCondition").selectOption(productCondition);
    for (const [name, text] of Object.entries(texts)) await this.field(name).fill(text);
  }

  async add({ image, ...texts }: NewPhone): Promise<void> {
    await this.field("image").setInputFiles(image);
    await this.fill(texts);
    await this.submit.click();
  }
}
