import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { Dashboard } from "../pages";
import { expectNoShift, forgetShifts } from "../support/layoutShifts";

const WIDTHS = [360, 1440];
/** A label that makes room for a line of its own is counted as moved itself. */
const ITSELF = 0.0002;

/** An open table of the dashboard, from here on watched. */
async function table(page: Page, path: string): Promise<Dashboard> {
  const dashboard = await new Dashboard(page).open(path);
  await expect(dashboard.table).toBeVisible();
  await forgetShifts(page);
  return dashboard;
}

for (const width of WIDTHS) {
  const viewport = { width, height: 2000 };

  test(`nothing moves in a seller's table, whatever becomes of the phones, ${width} wide`, async ({
    brand,
    people,
    unique,
    visit,
  }) => {
    const seller = await people.seller();
    const first = await seller.list(unique("Booked"), brand);
    const second = await seller.list(unique("Changed"), brand);
    const shelf = await table(await visit(seller, { viewport }), "myProducts");

    await (await people.buyer()).book(first);
    await expect(shelf.row(first.name)).toContainText("Sold");
    await expectNoShift(shelf.page, "when a phone was booked", ITSELF);
    await seller.ask("patch", `/products/${second._id}`, { resalePrice: 99_999 });
    await expect(shelf.row(second.name)).toContainText("$99,999");
    await expectNoShift(shelf.page, "when a price was changed", ITSELF);
    const added = await seller.list(unique("Added"), brand);
    await expect(shelf.row(added.name)).toBeVisible();
    await expectNoShift(shelf.page, "when a phone was added", ITSELF);
  });

  test(`nothing moves in a buyer's table when an order is made or ends, ${width} wide`, async ({
    brand,
    people,
    unique,
    visit,
  }) => {
    const seller = await people.seller();
    const buyer = await people.buyer();
    const one = await seller.list(unique("One"), brand);
    const two = await seller.list(unique("Two"), brand);
    const order = await buyer.book(one);
    const orders = await table(await visit(buyer, { viewport }), "myOrders");

    await buyer.book(two);
    await expect(orders.row(two.name)).toBeVisible();
    await expectNoShift(orders.page, "when a phone was booked", 0);
    await buyer.ask("delete", `/bookings/${order}`);
    await expect(orders.row(one.name)).toContainText("Cancelled");
    await expectNoShift(orders.page, "when a booking was cancelled", 0);
  });

  test(`nothing moves in an admin's tables when people join, are verified and report, ${width} wide`, async ({
    chief,
    brand,
    people,
    unique,
    visit,
  }) => {
    const seller = await people.seller();
    const buyer = await people.buyer();
    const one = await seller.list(unique("One"), brand);
    const two = await seller.list(unique("Two"), brand);
    await buyer.report(one, "It rings at night");
    const sellers = await table(await visit(chief, { viewport }), "allSellers");
    const buyers = await table(await visit(chief, { viewport }), "allBuyers");
    const reports = await table(await visit(chief, { viewport }), "reportedItems");

    await chief.verify(seller);
    await expect(sellers.row(seller.name)).toContainText("verified");
    await expect(sellers.button(seller.name, "Make Verified")).toBeHidden();
    await people.seller();
    await expect(sellers.page.getByRole("button", { name: "Show 1 new first" })).toBeVisible();
    await expectNoShift(sellers.page, "when a seller was verified and one joined", 0);
    await people.buyer();
    await expect(buyers.page.getByRole("button", { name: "Show 1 new first" })).toBeVisible();
    await expectNoShift(buyers.page, "when a buyer joined", 0);
    await buyer.report(two, "It does not ring at all, and it is not the model that the card says it is");
    await expect(reports.row(two.name)).toBeVisible();
    await expectNoShift(reports.page, "when a phone was reported", 0);
  });
}

test("nothing moves on the dashboard's first pages when their figures change", { tag: "@nodes" }, async ({
  chief,
  brand,
  people,
  unique,
  visit,
}) => {
  const seller = await people.seller();
  const buyer = await people.buyer();
  const phone = await seller.list(unique("Counted"), brand);
  const landings = new Map<string, Page>();
  for (const [role, person] of Object.entries({ seller, buyer, admin: chief })) {
    const page = await visit(person, { viewport: { width: 360, height: 2000 } });
    await page.goto("/dashboard");
    await expect(page.getByRole("definition").first()).toHaveText(/\d/);
    await expect(page.locator("section section").last()).toBeVisible();
    await forgetShifts(page);
    landings.set(role, page);
  }
  await buyer.book(phone);
  await buyer.report(phone, "It rings at night");
  for (const [role, page] of landings) {
    await expect(page.getByText(phone.name).first()).toBeVisible();
    await expectNoShift(page, `on the ${role}'s first page`, 0);
  }
});
