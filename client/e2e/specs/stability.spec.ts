import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { CategoryPage, HomePage } from "../pages";
import { expectNoShift, resetShifts } from "../support/layoutShifts";
import type { Person, Phone } from "../support/person";

declare global {
  interface Window {
    /** The longest time between two frames since `measureFrames`, milliseconds. */
    longestFrame?: number;
  }
}

/** Starts to measure the time between frames. */
async function measureFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.longestFrame = 0;
    let last = performance.now();
    const frame = (now: number) => {
      window.longestFrame = Math.max(window.longestFrame ?? 0, now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

test("a pushed booking neither shifts the layout nor moves or loses the focus", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const seller = await people.seller();
  const neighbour = await seller.list(unique("Neighbour"), brand);
  const phone = await seller.list(unique("Quiet change"), brand);
  const page = await visit(await people.buyer(), { reducedMotion: "no-preference" });
  const category = await new CategoryPage(page).open(brand);
  const card = category.card(phone.name);
  await expect(card.bookNow).toBeVisible();
  await card.root.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
  await category.card(neighbour.name).report.focus();
  await resetShifts(page);

  await (await people.buyer()).book(phone);
  await expect(card.booked).toBeVisible();
  await expect(page.getByRole("log", { name: "Live changes" })).toContainText(
    `${phone.name} was just booked`,
  );
  await expect(category.card(neighbour.name).report).toBeFocused();
  await expectNoShift(page, "when a phone was booked", 0);

  // The focused button is removed. The focus stays within its card.
  const focused = category.card(neighbour.name);
  await focused.bookNow.focus();
  await (await people.buyer()).book(neighbour);
  await expect(focused.booked).toBeVisible();
  expect(await focused.root.evaluate((element) => element.contains(document.activeElement))).toBe(true);
});

test("on a narrow card Join waitlist is as high as the Book Now that it replaces", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const phone = await (await people.seller()).list(unique("Narrow"), brand);
  const page = await visit(await people.buyer(), { viewport: { width: 360, height: 780 } });
  const card = (await new CategoryPage(page).open(brand)).card(phone.name);
  const heightOf = async (button: Locator) => Math.round((await button.boundingBox())?.height ?? 0);
  const before = await heightOf(card.bookNow);
  await (await people.buyer()).book(phone);
  const wait = card.root.getByRole("button", { name: "Join waitlist" });
  await expect(wait).toBeVisible();
  expect(await heightOf(wait)).toBe(before);
});

test("phones that appear and disappear on an open screen move nothing", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const seller = await people.seller();
  const removed = await seller.list(unique("Removed"), brand);
  const kept = await seller.list(unique("Kept"), brand);
  const page = await visit(await people.buyer());
  const category = await new CategoryPage(page).open(brand);
  await expect(category.card(removed.name).bookNow).toBeVisible();
  await category.card(removed.name).bookNow.focus();
  await resetShifts(page);

  const added = await seller.list(unique("Added"), brand);
  await expect(category.card(added.name).bookNow).toBeVisible();
  await seller.request("delete", `/products/${removed._id}`);
  await expect(category.card(removed.name).root).toHaveCount(0);
  await expect(page.locator(":focus")).toHaveText("This phone is no longer for sale.");
  await expect(category.card(kept.name).bookNow).toBeVisible();
  await expectNoShift(page, "after phones were added and removed", 0);

  await page.getByRole("button", { name: "Show 1 new" }).click();
  await expect(category.cards.first()).toContainText(added.name);
  await expect(page.getByText("This phone is no longer for sale.")).toBeHidden();
});

test("an advertised phone that is booked disappears from an open Home without moving the rest", async ({
  brand,
  people,
  unique,
  visit,
  markPage,
}) => {
  const seller = await people.verifiedSeller();
  const phones = [await seller.list(unique("Left"), brand), await seller.list(unique("Right"), brand)];
  for (const phone of phones) await seller.request("put", `/products/advertise/${phone._id}`);
  const [phone] = phones as [Phone];
  const page = await visit();
  const home = await new HomePage(page).open();
  await expect(home.item(phone.name)).toContainText("320");
  await expect(home.item(phone.name).getByRole("link", { name: "View" })).toHaveAttribute(
    "href",
    `/category/${brand._id}`,
  );
  await markPage(page);
  await home.item(phone.name).scrollIntoViewIfNeeded();
  await resetShifts(page);
  await (await people.buyer()).book(phone);
  await expect(home.item(phone.name)).toHaveCount(0);
  await expectNoShift(page, "when an advertised phone was booked", 0);
});

test("an open grid stays usable during two hundred bookings, and is correct afterwards", async ({
  ownMarket,
  unique,
  visit,
  markPage,
}) => {
  const { brand, people } = await ownMarket();
  const seller = await people.seller();
  const phones: Phone[] = [];
  for (let n = 0; n < 200; n += 20) {
    const batch = Array.from({ length: 20 }, (_, k) => seller.list(`Phone ${n + k}`, brand));
    phones.push(...(await Promise.all(batch)));
  }
  const buyers: Person[] = [];
  for (let n = 0; n < 4; n += 1) buyers.push(await people.buyer());

  const page = await visit(await people.buyer());
  const category = await new CategoryPage(page).open(brand);
  await expect(category.cards).toHaveCount(24);
  await expectNoShift(page, "when the first page was shown");
  await expect(async () => {
    await page.getByText(/^Showing \d+ of 200$/).scrollIntoViewIfNeeded();
    expect(await category.cards.count()).toBe(200);
  }).toPass();
  await expect(page.locator(".skip-offscreen").first()).toBeAttached();
  const bookNow = page.getByRole("button", { name: "Book Now", exact: true });
  await expect(bookNow).toHaveCount(200);
  await markPage(page);
  await measureFrames(page);

  const began = Date.now();
  const booking = Promise.all(
    buyers.map(async (buyer, n) => {
      for (let k = n; k < phones.length; k += buyers.length) await buyer.book(phones[k] as Phone);
    }),
  );
  // The visitor uses the page meanwhile.
  const dialog = await category.card("Phone 100").reportToAdmin();
  await dialog.reason.fill(unique("typed during the bookings"));
  await page.keyboard.press("Escape");
  await expect(dialog.root).toBeHidden();
  await booking;

  await expect(bookNow).toHaveCount(0);
  await expect(page.getByText("Booked", { exact: true })).toHaveCount(200);
  // A part of the whole, because both take longer on a busy machine. A grid that is blocked is so most of the time.
  const took = Date.now() - began;
  expect(await page.evaluate(() => window.longestFrame)).toBeLessThan(took / 2);
});
