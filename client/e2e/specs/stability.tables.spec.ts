import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { Dashboard } from "../pages";
import { expectNoShift, FONT, resetShifts } from "../support/layoutShifts";
import type { Person } from "../support/person";
import { expectLoaded } from "../support/screenChecks";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

/** Narrow and wide, with our font and with the fallback of a visit on which the font comes too late. */
const VIEWS = [
  { width: 360, hasFont: true },
  { width: 1440, hasFont: true },
  { width: 360, hasFont: false },
  { width: 1440, hasFont: false },
];
/** A label that becomes longer by a line counts as a shift of its own. */
const LABEL_SHIFT = 0.0002;

type Visit = (person: Person, options: { viewport: { width: number; height: number } }) => Promise<Page>;

/** Opens a table of the dashboard in each view, and measures their layout shifts. */
async function openTables(visit: Visit, person: Person, path: string): Promise<Dashboard[]> {
  const dashboards: Dashboard[] = [];
  for (const { width, hasFont } of VIEWS) {
    const page = await visit(person, { viewport: { width, height: 2000 } });
    if (!hasFont) await page.route(FONT, (route) => route.abort());
    const dashboard = await new Dashboard(page).open(path);
    await expect(dashboard.table).toBeVisible();
    await resetShifts(page);
    dashboards.push(dashboard);
  }
  return dashboards;
}

// The browser reports the missing font of a view without it.
test.beforeEach(({ problems }) => problems.expect(FONT));

test("nothing moves in a seller's table when the phones change", async ({ brand, people, unique, visit }) => {
  const seller = await people.verifiedSeller();
  const first = await seller.list(unique("Booked"), brand);
  const second = await seller.list(unique("Changed"), brand);
  const products = await openTables(visit, seller, "myProducts");

  await (await people.buyer()).book(first);
  for (const table of products) {
    await expect(table.row(first.name)).toContainText("Sold");
    await expectNoShift(table.page, "when a phone was booked", LABEL_SHIFT);
  }
  await seller.request("patch", `/products/${second._id}`, { resalePrice: 99_999 });
  for (const table of products) {
    await expect(table.row(second.name)).toContainText("$99,999");
    await expectNoShift(table.page, "when a price was changed", LABEL_SHIFT);
  }
  await seller.request("put", `/products/advertise/${second._id}`);
  for (const table of products) {
    await expect(table.button(second.name, "Stop advertising")).toBeVisible();
    await expectNoShift(table.page, "when a phone was advertised", LABEL_SHIFT);
  }
  await seller.request("delete", `/products/advertise/${second._id}`);
  for (const table of products) {
    await expect(table.button(second.name, "Advertise")).toBeVisible();
    await expectNoShift(table.page, "when the phone was not advertised any more", LABEL_SHIFT);
  }
  const added = await seller.list(unique("Added"), brand);
  for (const table of products) {
    await expect(table.row(added.name)).toBeVisible();
    await expectNoShift(table.page, "when a phone was added", LABEL_SHIFT);
  }
});

test("nothing moves in a buyer's table when an order is made or ends", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const seller = await people.seller();
  const buyer = await people.buyer();
  const first = await seller.list(unique("First"), brand);
  const second = await seller.list(unique("Second"), brand);
  const order = await buyer.book(first);
  const orders = await openTables(visit, buyer, "myOrders");

  await buyer.book(second);
  for (const table of orders) {
    await expect(table.row(second.name)).toBeVisible();
    await expectNoShift(table.page, "when a phone was booked", 0);
  }
  await buyer.request("delete", `/bookings/${order}`);
  for (const table of orders) {
    await expect(table.row(first.name)).toContainText("Cancelled");
    await expectNoShift(table.page, "when a booking was cancelled", 0);
  }
});

test("nothing moves in an admin's tables when people sign up, are verified and report", async ({
  adminUser,
  brand,
  people,
  unique,
  visit,
}) => {
  const seller = await people.seller();
  const buyer = await people.buyer();
  const first = await seller.list(unique("First"), brand);
  const second = await seller.list(unique("Second"), brand);
  await buyer.report(first, "It rings at night");
  const sellers = await openTables(visit, adminUser, "allSellers");
  const buyers = await openTables(visit, adminUser, "allBuyers");
  const reports = await openTables(visit, adminUser, "reportedItems");

  await adminUser.verify(seller);
  for (const table of sellers) {
    await expect(table.row(seller.name)).toContainText("verified");
    await expect(table.button(seller.name, "Make Verified")).toBeHidden();
  }
  await people.seller();
  for (const { page } of sellers) {
    await expect(page.getByRole("button", { name: "Show 1 new" })).toBeVisible();
    await expectNoShift(page, "when a seller was verified and another one signed up", 0);
  }
  await people.buyer();
  for (const { page } of buyers) {
    await expect(page.getByRole("button", { name: "Show 1 new" })).toBeVisible();
    await expectNoShift(page, "when a buyer signed up", 0);
  }
  await buyer.report(second, "It does not ring at all, and it is not the model that the card says it is");
  for (const table of reports) {
    await expect(table.row(second.name)).toBeVisible();
    await expectNoShift(table.page, "when a phone was reported", 0);
  }
  await seller.request("delete", `/products/${first._id}`);
  for (const table of reports) {
    await expect(table.row(first.name)).toContainText("Phone removed");
    await expectNoShift(table.page, "when a reported phone was removed", 0);
  }
});

test("nothing moves on the dashboards when their numbers and rows change", async ({
  adminUser,
  brand,
  people,
  unique,
  visit,
}) => {
  const seller = await people.seller();
  const buyer = await people.buyer();
  const phone = await seller.list(unique("Counted"), brand);
  // With the demo's five there are more sellers than the admin's first page shows. It shows the number of the others.
  await buyer.report(await seller.list(unique("Reported"), brand), "It does not ring");
  const overviews = new Map<string, Page>();
  for (const [role, person] of Object.entries({ seller, buyer, admin: adminUser })) {
    const page = await visit(person, { viewport: { width: 360, height: 2000 } });
    await page.goto("/dashboard");
    await expectLoaded(page);
    await expect(page.locator("section section").last()).toBeVisible();
    await resetShifts(page);
    overviews.set(role, page);
  }
  await buyer.book(phone);
  await buyer.report(phone, "It rings at night");
  for (const [role, page] of overviews) {
    await expect(page.getByText(phone.name).first()).toBeVisible();
    await expectNoShift(page, `on the ${role}'s first page`, 0);
  }
  await adminUser.verify(seller);
  const sellerPage = overviews.get("seller");
  if (!sellerPage) throw new Error("the seller's first page is not open");
  await expect(sellerPage.getByText(/^You are verified/)).toBeVisible();
  await expectNoShift(sellerPage, "on the seller's first page when an admin verified them", 0);
});
