import { expect, type Locator, type Page } from "@playwright/test";
import { CategoryPage } from "../pages";
import type { Brand } from "../support/person";
import { type Screen, testScreens } from "../support/screens";

async function dialog(page: Page, brand: Brand, button: string): Promise<Locator> {
  const category = await new CategoryPage(page).open(brand);
  await category.cards.getByRole("button", { name: button }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  return page.getByRole("dialog");
}

/** A brand's phones and their dialogs. */
const screens: Record<string, Screen> = {
  category: {
    who: "buyer",
    show: async ({ page, brand }) => {
      const category = await new CategoryPage(page).open(brand);
      await expect(category.cards.nth(3)).toBeVisible();
    },
  },
  "category-missing": {
    who: "buyer",
    show: async ({ page }) => {
      await page.goto("/category/nowhere");
      await expect(page.getByRole("main").getByRole("link", { name: "Search all phones" })).toBeVisible();
    },
  },
  "category-failed": {
    who: "buyer",
    show: async ({ page, brand }) => {
      await page.route("**/categories/*", (route) => route.abort());
      await page.goto(`/category/${brand._id}`);
      await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
    },
  },
  "search-visitor": {
    show: async ({ page }) => {
      await page.goto("/search?minPrice=60&verified=true&condition=Excellent&sort=price-up");
      await expect(page.getByRole("article").nth(3)).toBeVisible();
    },
  },
  "search-nothing": {
    who: "buyer",
    show: async ({ page }) => {
      await page.goto("/search?q=nothinglikethis");
      await expect(page.getByText("No matching phones")).toBeVisible();
    },
  },
  "search-filters": {
    who: "buyer",
    show: async ({ page }) => {
      await page.goto("/search?minPrice=60&verified=true&condition=Excellent");
      await expect(page.getByRole("article").nth(3)).toBeVisible();
      const sheet = page.getByRole("button", { name: /^Filters/ });
      if (await sheet.isVisible()) {
        await sheet.click();
        await expect(page.getByRole("dialog")).toBeVisible();
      }
    },
  },
  "booking-dialog": {
    who: "buyer",
    show: async ({ page, brand }) => {
      const form = await dialog(page, brand, "Book Now");
      await form.locator("[type=submit]").click();
      await expect(page.getByText("Phone is required")).toBeVisible();
    },
  },
  "report-dialog": {
    who: "buyer",
    show: async ({ page, brand }) => {
      await dialog(page, brand, "Report To Admin");
    },
  },
  toast: {
    who: "buyer",
    show: async ({ page, brand, people, unique }) => {
      const { name } = await (await people.seller()).list(unique("Just booked"), brand);
      const category = await new CategoryPage(page).open(brand);
      const booking = await category.card(name).book();
      await booking.book("+880 1234-777888");
      await expect(category.toast("Booking Confirmed")).toBeVisible();
      await expect(category.card(name).booked).toBeVisible();
    },
  },
};

testScreens(screens);
