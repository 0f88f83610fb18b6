import { expect, type Locator, type Page } from "@playwright/test";
import { CategoryPage } from "../pages";
import type { Brand, Phone } from "../support/person";
import { type Screen, type ScreenContext, testScreens } from "../support/screens";

/** Opens a dialog of the first card that has this button. */
async function openDialog(page: Page, brand: Brand, button: string): Promise<Locator> {
  const category = await new CategoryPage(page).open(brand);
  await category.cards.getByRole("button", { name: button }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  return page.getByRole("dialog");
}

/** Lists a phone and books it as another buyer. */
async function listHeldPhone({ brand, people, unique }: ScreenContext): Promise<Phone> {
  const phone = await (await people.seller()).list(unique("Held"), brand);
  await (await people.buyer()).book(phone);
  return phone;
}

/** Adds the user to the waitlist of a new phone. Resolves to the phone's name. */
async function joinWaitlist(context: ScreenContext): Promise<string> {
  const { _id, name } = await listHeldPhone(context);
  await context.user?.request("put", `/products/${_id}/waitlist`, { phone: "01711 000000" });
  return name;
}

/**
 * A search whose results fit on one page. At the end of a longer list the next page comes to stand in the place of "Load
 * more", which a check that scrolls to the end would count as a shift.
 */
const SEARCH = "/search?minPrice=60&maxPrice=120&verified=true&condition=Excellent";

/** A brand's phones and their dialogs. */
const screens: Record<string, Screen> = {
  category: {
    user: "buyer",
    show: async ({ page, brand }) => {
      const category = await new CategoryPage(page).open(brand);
      await expect(category.cards.nth(3)).toBeVisible();
    },
  },
  "category-missing": {
    user: "buyer",
    show: async ({ page }) => {
      await page.goto("/category/nowhere");
      await expect(page.getByRole("main").getByRole("link", { name: "Search all phones" })).toBeVisible();
    },
  },
  "category-failed": {
    user: "buyer",
    show: async ({ page, brand }) => {
      await page.route("**/categories/*", (route) => route.abort());
      await page.goto(`/category/${brand._id}`);
      await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
    },
  },
  "search-visitor": {
    show: async ({ page }) => {
      await page.goto(`${SEARCH}&sort=price-up`);
      await expect(page.getByRole("article").nth(3)).toBeVisible();
    },
  },
  "search-nothing": {
    user: "buyer",
    show: async ({ page }) => {
      await page.goto("/search?q=nothinglikethis");
      await expect(page.getByText("No matching phones")).toBeVisible();
    },
  },
  "search-filters": {
    user: "buyer",
    show: async ({ page }) => {
      await page.goto(SEARCH);
      await expect(page.getByRole("article").nth(3)).toBeVisible();
      const sheet = page.getByRole("button", { name: /^Filters/ });
      if (await sheet.isVisible()) {
        await sheet.click();
        await expect(page.getByRole("dialog")).toBeVisible();
      }
    },
  },
  "booking-dialog": {
    user: "buyer",
    show: async ({ page, brand }) => {
      const form = await openDialog(page, brand, "Book Now");
      await form.locator("[type=submit]").click();
      await expect(page.getByText("Phone is required")).toBeVisible();
    },
  },
  "wait-dialog": {
    user: "buyer",
    prepare: async (context) => (await listHeldPhone(context)).name,
    show: async ({ page, brand }, name) => {
      const card = (await new CategoryPage(page).open(brand)).card(name).root;
      await card.getByRole("button", { name: "Join waitlist" }).click();
      await page.getByRole("dialog").locator("[type=submit]").click();
      await expect(page.getByText("Phone is required")).toBeVisible();
    },
  },
  "category-waiting": {
    user: "buyer",
    prepare: joinWaitlist,
    show: async ({ page, brand }, name) => {
      const card = (await new CategoryPage(page).open(brand)).card(name).root;
      await expect(card).toContainText("You are next");
    },
  },
  "my-orders-waiting": {
    user: "buyer",
    prepare: joinWaitlist,
    show: async ({ page }, name) => {
      await page.goto("/dashboard/myOrders");
      await expect(page.getByRole("table", { name: "Waiting for" })).toContainText(name);
    },
  },
  "report-dialog": {
    user: "buyer",
    show: async ({ page, brand }) => {
      await openDialog(page, brand, "Report To Admin");
    },
  },
  toast: {
    user: "buyer",
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
