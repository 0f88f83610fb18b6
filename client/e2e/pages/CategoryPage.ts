import type { Locator, Page } from "@playwright/test";
import { BookingDialog, ReportDialog } from "./dialogs";
import { Site } from "./Site";

/** One phone's card. */
export class ProductCard {
  readonly bookNow: Locator;
  readonly report: Locator;
  readonly booked: Locator;
  /** The label that replaces the button and takes its focus; for a held phone it shows the time left. */
  readonly takenLabel: Locator;
  /** The link beside Booked on a phone that the buyer has booked and not paid. */
  readonly pay: Locator;
  readonly badge: Locator;

  constructor(
    private readonly page: Page,
    readonly root: Locator,
  ) {
    this.bookNow = root.getByRole("button", { name: "Book Now", exact: true });
    this.report = root.getByRole("button", { name: "Report To Admin", exact: true });
    this.booked = root.getByText("Booked", { exact: true });
    this.takenLabel = root.locator("[tabindex='-1']").filter({ hasText: "Booked" });
    this.pay = root.getByRole("link", { name: /^Pay for / });
    this.badge = root.getByText("Verified", { exact: true });
  }

  /** The styles that change the colours of its photo: filter, blend mode and opacity, its own or inherited. */
  photoEffects(): Promise<string[]> {
    return this.root.getByRole("img").evaluate((photo) => {
      const effects = new Set<string>();
      for (let element: Element | null = photo; element; element = element.parentElement) {
        const { filter, mixBlendMode, opacity } = getComputedStyle(element);
        if (filter !== "none") effects.add(filter);
        if (mixBlendMode !== "normal") effects.add(mixBlendMode);
        if (opacity !== "1") effects.add(`opacity ${opacity}`);
      }
      return [...effects];
    });
  }

  async book(): Promise<BookingDialog> {
    await this.bookNow.click();
    return new BookingDialog(this.page);
  }

  async reportToAdmin(): Promise<ReportDialog> {
    await this.report.click();
    return new ReportDialog(this.page);
  }
}

/** /category/{id} */
export class CategoryPage extends Site {
  readonly cards: Locator;

  constructor(page: Page) {
    super(page);
    this.cards = page.getByRole("article");
  }

  async open(brand: { _id: string }): Promise<this> {
    await this.page.goto(`/category/${brand._id}`);
    return this;
  }

  card(name: string): ProductCard {
    return new ProductCard(this.page, this.page.getByRole("article", { name, exact: true }));
  }
}
