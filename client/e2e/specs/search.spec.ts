import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { CategoryPage } from "../pages";
import { expectNoShift, resetShifts } from "../support/layoutShifts";
import type { Phone } from "../support/person";

const searchField = (page: Page) => page.getByRole("searchbox", { name: "Search words" });
const phoneNames = (page: Page) => page.getByRole("article").getByRole("heading");
/** Opens or closes a menu of the filter bar. */
const toggleMenu = (page: Page, name: string) =>
  page.getByRole("form", { name: "Filter phones" }).getByRole("button", { name, exact: true }).click();

test("words, filters and sorting change the address and the list, and survive reload and back", async ({
  ownMarket,
  visit,
}) => {
  const { brand, people } = await ownMarket();
  const seller = await people.seller();
  await seller.list("Expensive", brand, { resalePrice: 600 });
  await seller.list("Middle Fox", brand, { resalePrice: 300 });
  await seller.list("Cheap", brand, { resalePrice: 100, productCondition: "Fair" });
  const page = await visit(await people.buyer(), { viewport: { width: 1366, height: 657 } });
  const category = await new CategoryPage(page).open(brand);
  await expect(category.cards).toHaveCount(3);
  for (const name of ["Expensive", "Middle Fox", "Cheap"]) {
    await expect(category.card(name).bookNow).toBeInViewport({ ratio: 1 });
  }
  await resetShifts(page);
  await searchField(page).pressSequentially("fox m", { delay: 30 });
  await expect(phoneNames(page)).toHaveText(["Middle Fox"]);
  await expect(page).toHaveURL(/\?q=fox\+m$/);
  await expect(searchField(page)).toBeFocused();
  await expect(page.getByRole("log", { name: "Live changes" })).toContainText("1 phone found");
  await expectNoShift(page, "while typing");
  await searchField(page).fill("");
  await expect(category.cards).toHaveCount(3);

  await page.getByLabel("Sort by").selectOption("price-down");
  await expect(phoneNames(page)).toHaveText(["Expensive", "Middle Fox", "Cheap"]);
  await toggleMenu(page, "Condition");
  await page.getByRole("checkbox", { name: "Good" }).check();
  await expect(phoneNames(page)).toHaveText(["Expensive", "Middle Fox"]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Condition" })).toBeFocused();
  await expect(page.getByRole("checkbox", { name: "Good" })).toBeHidden();
  await page.reload();
  await expect(phoneNames(page)).toHaveText(["Expensive", "Middle Fox"]);
  await expect(page.getByLabel("Sort by")).toHaveValue("price-down");
  await page.goBack();
  await expect(phoneNames(page)).toHaveText(["Expensive", "Middle Fox", "Cheap"]);
  await toggleMenu(page, "Condition");
  await expect(page.getByRole("checkbox", { name: "Good" })).not.toBeChecked();
  await toggleMenu(page, "Price");
  await expect(page.getByRole("checkbox", { name: "Good" })).toBeHidden();
  await page.getByLabel("Price to").fill("50");
  await expect(page.getByText("No matching phones")).toBeVisible();
  await page.getByRole("button", { name: "Show all phones" }).click();
  await expect(phoneNames(page)).toHaveText(["Cheap", "Middle Fox", "Expensive"]);
});

test("on a narrow screen the filters are a sheet, and its button stays visible", async ({
  brand,
  people,
  visit,
}) => {
  const page = await visit(await people.buyer(), { viewport: { width: 360, height: 740 } });
  await page.goto(`/category/${brand._id}?available=true&minPrice=50`);
  const open = page.getByRole("button", { name: "Filters (2)" });
  await expect(page.getByLabel("Price from")).toBeHidden();
  await expect(page.getByRole("article").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Clear filters" })).toBeInViewport({ ratio: 1 });
  await page.mouse.wheel(0, 1200);
  await expect(open).toBeInViewport();
  await open.press("Enter");
  const sheet = page.getByRole("dialog", { name: "Filters" });
  await expect(sheet.getByLabel("Price from")).toHaveValue("50");
  // The on-screen keyboard does not open by itself.
  await expect(sheet.getByLabel("Price from")).not.toBeFocused();
  await sheet.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(new RegExp(`/category/${brand._id}$`));
  await sheet.getByRole("button", { name: /^Show \d+ phones?$/ }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole("article").first()).toBeInViewport();
  const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(scrollWidth).toBeLessThanOrEqual(360);
  await page.setViewportSize({ width: 360, height: 640 });
  await page.getByRole("button", { name: "Report To Admin" }).first().click();
  await expect(page.getByRole("button", { name: "Send report" })).toBeInViewport({ ratio: 1 });
});

test("on a narrow screen all active filters are visible, and a live change moves none of them", async ({
  ownMarket,
  visit,
}) => {
  const { brand, people } = await ownMarket();
  const seller = await people.seller();
  const heron = await seller.list("Heron", brand, { resalePrice: 250, originalPrice: 900, storage: 128 });
  await seller.list("Heron 2", brand, { resalePrice: 250, originalPrice: 900, storage: 128 });
  const page = await visit(await people.buyer(), { viewport: { width: 360, height: 740 } });
  await page.goto("/search?q=heron+under+300+128gb&available=true");
  await expect(phoneNames(page)).toHaveText(["Heron 2", "Heron"]);
  await expect(page.getByText("updating live")).toBeInViewport();
  for (const name of ["Up to $300", "128 GB", "Available only"]) {
    const label = page.getByRole("button", { name: `Remove filter: ${name}` }).getByText(name);
    await expect(label).toBeInViewport({ ratio: 1 });
    expect(await label.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
  }
  await resetShifts(page);
  await (await people.buyer()).book(heron);
  await expect(page.getByRole("button", { name: "Update the list" })).toBeVisible();
  await seller.list("Heron 3", brand, { resalePrice: 250, originalPrice: 900, storage: 128 });
  await expect(page.getByRole("button", { name: "Show 1 new" })).toBeVisible();
  await expectNoShift(page, "after a phone was booked and another was added");
  const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(scrollWidth).toBeLessThanOrEqual(360);
});

test("further pages load while scrolling, and are kept with the scroll position on return", async ({
  ownMarket,
  visit,
}) => {
  const { brand, people } = await ownMarket();
  const seller = await people.seller();
  for (let n = 0; n < 40; n += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, k) => seller.list(`Phone ${n + k}`, brand)));
  }
  const page = await visit(await people.buyer());
  const category = await new CategoryPage(page).open(brand);
  await expect(category.cards).toHaveCount(24);
  await page.getByText("Showing 24 of 40").scrollIntoViewIfNeeded();
  await expect(category.cards).toHaveCount(40);
  await category.cards.nth(35).scrollIntoViewIfNeeded();
  const scrollTop = await page.evaluate(() => window.scrollY);
  // The keyboard is used because Playwright's click scrolls the page before it clicks in a sticky bar.
  await category.link("Blog").evaluate((link: HTMLElement) => link.click());
  await expect(page.getByText("Coming Soon...")).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await expect(category.cards).toHaveCount(40);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeCloseTo(scrollTop, -1);
});

test("a booking under 'available only' moves nothing, marks the card and not its photo's colours, and disappears after a refresh", async ({
  ownMarket,
  visit,
}) => {
  const { brand, people } = await ownMarket();
  const seller = await people.seller();
  const phones: Phone[] = [];
  for (const name of ["First", "Second"]) phones.push(await seller.list(name, brand));
  const [first] = phones as [Phone];
  const page = await visit(await people.buyer());
  const category = new CategoryPage(page);
  await page.goto(`/category/${brand._id}?available=true`);
  await expect(phoneNames(page)).toHaveText(["Second", "First"]);
  await (await people.buyer()).book(first);
  await expect(category.card("First").booked).toBeVisible();
  await expect(page.getByText("No longer matches")).toBeVisible();
  expect(await category.card("First").photoEffects()).toEqual([]);
  await expect(phoneNames(page)).toHaveText(["Second", "First"]);
  const third = await seller.list("Third", brand);
  await expect(phoneNames(page)).toHaveText(["Second", "First", third.name]);
  await page.getByRole("button", { name: "Update the list" }).click();
  await expect(phoneNames(page)).toHaveText(["Third", "Second"]);
});

test("the search bar of any screen leads to the phones of all brands, live", async ({ ownMarket, visit }) => {
  const { adminUser, brand, people } = await ownMarket();
  const other = (await adminUser.brands()).find(({ _id }) => _id !== brand._id);
  if (!other) throw new Error("a new store starts with several brands");
  const seller = await people.seller();
  const first = await seller.list("Heron One", brand);
  await seller.list("Heron Two", other);
  await seller.list("Magpie", other);
  const page = await visit(await people.buyer());
  await page.goto("/blog");
  const field = page.getByRole("searchbox", { name: "Search all phones" });
  await expect(field).toBeVisible();
  await page.keyboard.press("/");
  await expect(field).toBeFocused();
  await page.keyboard.type("heron");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=heron$/);
  await expect(phoneNames(page)).toHaveText(["Heron Two", "Heron One"]);

  // One phone of each brand: one is booked, one is added.
  await (await people.buyer()).book(first);
  const category = new CategoryPage(page);
  await expect(category.card("Heron One").booked).toBeVisible();
  await seller.list("Heron Three", other);
  await expect(phoneNames(page)).toHaveText(["Heron Two", "Heron One", "Heron Three"]);
  await page.getByRole("button", { name: "Show 1 new" }).click();
  await expect(phoneNames(page)).toHaveText(["Heron Three", "Heron Two", "Heron One"]);
  await toggleMenu(page, "Brand");
  await page.getByRole("checkbox", { name: other.name, exact: true }).check();
  await expect(phoneNames(page)).toHaveText(["Heron Three", "Heron Two"]);
  await page.goBack();
  await expect(phoneNames(page)).toHaveText(["Heron Three", "Heron Two", "Heron One"]);
});

test("a search with a typing error shows the corrected results with a notice, and stays live", async ({
  ownMarket,
  visit,
}) => {
  const { brand, people } = await ownMarket();
  const seller = await people.seller();
  await seller.list("Heron One", brand);
  await seller.list("Magpie", brand);
  const page = await visit(await people.buyer());
  await page.goto("/search");
  await searchField(page).fill("Hreon one");
  const message = page.getByText("No phones match “hreon one”. Showing results for “heron one”.", {
    exact: true,
  });
  await expect(message).toBeVisible();
  await expect(phoneNames(page)).toHaveText(["Heron One"]);
  await expect(page.getByRole("log", { name: "Live changes" })).toContainText("1 phone found");
  await expect(page).toHaveURL(/\?q=Hreon\+one$/);
  await seller.list("Heron One Plus", brand);
  await seller.list("Hreon One", brand);
  await expect(phoneNames(page)).toHaveText(["Heron One", "Heron One Plus"]);
  await page.reload();
  await expect(phoneNames(page)).toHaveText(["Hreon One"]);
  await expect(message).toBeHidden();

  await searchField(page).fill("purple magpie 5g");
  await expect(phoneNames(page)).toHaveText(["Magpie"]);
  const without = "No phone has all these words. Searched without “purple” and “5g”.";
  await expect(page.getByText(without, { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Change the search" }).click();
  await expect(searchField(page)).toBeFocused();
  await page.keyboard.type("heron");
  await expect(phoneNames(page)).toHaveText(["Heron One Plus", "Heron One"]);
  await expect(page.getByRole("button", { name: "Change the search" })).toBeHidden();
});

test("prices and storages in the words are filters that can be removed, and a search without results can be saved", async ({
  ownMarket,
  visit,
}) => {
  const { brand, people } = await ownMarket();
  const seller = await people.seller();
  await seller.list("Heron 12", brand, { resalePrice: 250, originalPrice: 900, storage: 128 });
  await seller.list("Heron 12 Pro", brand, { resalePrice: 600, originalPrice: 900, storage: 128 });
  const page = await visit(await people.buyer());
  await page.goto("/search");
  const chip = (name: string) => page.getByRole("button", { name: `Remove filter: ${name}` });
  await searchField(page).fill("heron12 under $300 128 gb");
  await expect(phoneNames(page)).toHaveText(["Heron 12"]);
  await expect(page).toHaveURL(/under/);
  await chip("Up to $300").click();
  await expect(phoneNames(page)).toHaveText(["Heron 12 Pro", "Heron 12"]);
  await expect(searchField(page)).toHaveValue("heron 12");
  await expect(page).toHaveURL(/\?q=heron\+12&storage=128$/);
  await chip("128 GB").click();
  await expect(page).toHaveURL(/\?q=heron\+12$/);

  await searchField(page).fill("heron 12 under 100");
  await expect(page.getByText("No matching phones")).toBeVisible();
  const save = page.getByRole("main").getByRole("button", { name: "Save this search" });
  await expect(save).toBeVisible();
  await save.click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("saved", { exact: false }).first()).toBeVisible();
  await seller.list("Heron 12 mini", brand, { resalePrice: 90 });
  await expect(phoneNames(page)).toHaveText(["Heron 12 mini"]);
});

test("a visitor searches without contact data, and gets to the login and back", async ({
  ownMarket,
  visit,
}) => {
  const { market, brand, people } = await ownMarket();
  const seller = await people.seller();
  await seller.list("Heron One", brand);
  const page = await visit(null, { baseURL: market.url, viewport: { width: 360, height: 740 } });
  await page.goto("/");
  await page.getByRole("link", { name: "Search all phones" }).click();
  await expect(searchField(page)).toBeFocused();
  await searchField(page).fill("heron");
  const card = new CategoryPage(page).card("Heron One");
  await expect(card.bookNow).toBeVisible();
  await expect(card.root.getByText("Location")).toHaveCount(0);
  await page.getByRole("button", { name: "Filters" }).click();
  await expect(page.getByRole("textbox", { name: "Price to" })).toBeVisible();
  await expect(page.getByLabel("Location")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await card.bookNow.click();
  await expect(page).toHaveURL(/\/login$/);
});
