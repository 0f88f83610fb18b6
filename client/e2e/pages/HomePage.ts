import type { Locator, Page } from "@playwright/test";
import { CategoryPage } from "./CategoryPage";
import { Site } from "./Site";

/** / */
export class HomePage extends Site {
  readonly getStarted: Locator;
  readonly viewAllBrands: Locator;
  readonly advertised: Locator;

  constructor(page: Page) {
    super(page);
    this.getStarted = page.getByRole("link", { name: "Get Started", exact: true });
    this.viewAllBrands = page.getByRole("link", { name: "View All Brands", exact: true });
    this.advertised = page.getByRole("region", { name: "Advertised Items" });
  }

  async open(): Promise<this> {
    await this.page.goto("/");
    return this;
  }

  /** The card of an advertised phone. */
  item(name: string): Locator {
    return this.advertised.getByRole("article", { name, exact: true });
  }

  async view(name: string): Promise<CategoryPage> {
    await this.item(name).getByRole("link", { name: "View", exact: true }).click();
    return new CategoryPage(this.page);
  }
}
