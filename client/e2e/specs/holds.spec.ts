import { expect, test } from "../fixtures";
import { CategoryPage, Dashboard } from "../pages";

test("an unpaid hold expires on every open screen", { tag: "@nodes" }, async ({
  ownMarket,
  unique,
  visit,
  markPage,
}) => {
  const { brand, people } = await ownMarket({ BOOKING_HOLD: "20s" });
  const seller = await people.seller();
  const buyer = await people.buyer();
  const phone = await seller.list(unique("Expiring"), brand);

  const watcherPage = await visit(await people.buyer());
  const card = (await new CategoryPage(watcherPage).open(brand)).card(phone.name);
  await expect(card.bookNow).toBeVisible();
  const myProducts = await new Dashboard(await visit(seller)).open("myProducts");
  const orders = await new Dashboard(await visit(buyer)).open("myOrders");
  await expect(orders.page.getByText("You have not booked a phone yet")).toBeVisible();
  for (const page of [watcherPage, myProducts.page, orders.page]) await markPage(page);

  // All three at once: on a busy machine one after the other can take longer than the hold.
  await Promise.all([
    expect(card.booked).toBeVisible(),
    expect(myProducts.row(phone.name)).toContainText("Sold"),
    expect(orders.row(phone.name)).toContainText("Pay"),
    buyer.book(phone),
  ]);

  await expect(card.bookNow).toBeVisible();
  await expect(myProducts.row(phone.name)).toContainText("Available");
  await expect(orders.row(phone.name)).toContainText("Expired");
});

test("a buyer cancels an order and the phone is available again", async ({
  brand,
  people,
  unique,
  visit,
  markPage,
}) => {
  const phone = await (await people.seller()).list(unique("Returned"), brand);
  const buyer = await people.buyer();
  await buyer.book(phone);
  const watcherPage = await visit(await people.buyer());
  const card = (await new CategoryPage(watcherPage).open(brand)).card(phone.name);
  await expect(card.booked).toBeVisible();
  await markPage(watcherPage);

  const orders = await new Dashboard(await visit(buyer)).open("myOrders");
  await orders
    .row(phone.name)
    .getByRole("button", { name: /^Cancel/ })
    .click();
  await orders.page
    .getByRole("alertdialog")
    .getByRole("button", { name: "Cancel booking", exact: true })
    .click();
  await expect(orders.row(phone.name)).toContainText("Cancelled");
  await expect(card.bookNow).toBeVisible();
});
