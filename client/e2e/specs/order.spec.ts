import { Dashboard, OrderPage } from "../pages";
import { bookedPhone, expect, TOKEN_SECRET, test } from "../paymentFixtures";
import type { Market } from "../support/market";
import { PaymentProvider } from "../support/paymentProvider";
import { checkScreen } from "../support/screenChecks";

/** The console messages about a stopped node. */
const NODE_STOPPED = /ERR_|WebSocket/;

/** Kills each node, one after another, and starts it again. */
async function killAndRestart({ nodes }: Market): Promise<void> {
  for (const node of nodes) {
    await node.stop("SIGKILL");
    await node.start();
  }
}

test("a handover by code and its payout are shown to both sides and an admin at once, despite the kill of each node", {
  tag: "@nodes",
}, async ({ ownMarket, unique, visit, markPage, problems }) => {
  test.slow();
  problems.expect(NODE_STOPPED, /status of 422 .*\/fulfilment$/);
  const { market, adminUser, brand, people } = await ownMarket({ TOKEN_SECRET });
  const { id, phone, seller, buyer } = await bookedPhone({ people, unique }, brand);
  const provider = await PaymentProvider.of(market, TOKEN_SECRET);
  const orders = await new Dashboard(await visit(adminUser)).open("orders");
  await expect(orders.row(phone.name)).toContainText("Held");
  await markPage(orders.page);

  const buyerOrder = await new OrderPage(await visit(buyer)).open(id);
  await expect(buyerOrder.heading("Pay to keep this phone")).toBeVisible();
  await markPage(buyerOrder.page);
  await provider.pay(buyer, id);
  await expect(buyerOrder.heading(`Next: get your phone from ${seller.name}`)).toBeVisible();

  const sellerOrder = new OrderPage(await visit(seller));
  await new Dashboard(sellerOrder.page).open("myProducts");
  await sellerOrder.page.getByRole("link", { name: `See order of ${phone.name}` }).click();
  await expect(sellerOrder.heading(`Meet ${buyer.name} and hand over the phone`)).toBeVisible();
  await markPage(sellerOrder.page);

  await killAndRestart(market);
  const code = await buyerOrder.showCode();
  await expect(buyerOrder.qrCode).toBeVisible();
  await sellerOrder.code.fill(String((Number(code) + 1) % 1_000_000).padStart(6, "0"));
  await sellerOrder.action("Confirm the handover").click();
  await expect(sellerOrder.page.getByText("This is not the buyer's code. Tries left: 4")).toBeVisible();

  await killAndRestart(market);
  const scannedOrder = await new OrderPage(await sellerOrder.page.context().newPage()).open(
    id,
    `#code=${code}`,
  );
  await expect(scannedOrder.code).toHaveValue(code);
  await scannedOrder.action("Confirm the handover").click();
  await expect(buyerOrder.heading("This order is completed")).toBeVisible();
  for (const order of [sellerOrder, scannedOrder]) {
    await expect(order.heading("The sale is completed")).toBeVisible();
    await expect(order.code).toBeHidden();
  }
  for (const order of [buyerOrder, sellerOrder]) {
    await expect(order.timeline).toContainText([
      "Booked",
      "Paid",
      "Handed over in person",
      "Completed",
      "Paid out to the seller (still to come)",
    ]);
  }

  await killAndRestart(market);
  await expect(orders.row(phone.name)).toContainText("To pay out: $320");
  await orders.button(phone.name, "Mark as paid out").click();
  await orders.page.getByLabel("Reference").fill("Transfer 12");
  await orders.page
    .getByRole("dialog")
    .getByRole("button", { name: /^Mark \$/ })
    .click();
  await expect(orders.row(phone.name)).toContainText("Transfer 12");
  for (const { timeline } of [buyerOrder, sellerOrder]) {
    await expect(timeline.last()).toHaveText(/^Paid out to the seller\s*\d/);
  }
  await provider.close();
});

test("a problem with a phone that was sent ends with an admin's refund, on every screen, despite the kill of each node", {
  tag: "@nodes",
}, async ({ ownMarket, unique, visit, markPage, problems }) => {
  test.slow();
  problems.expect(NODE_STOPPED);
  const { market, adminUser, brand, people } = await ownMarket({ TOKEN_SECRET });
  const { id, phone, seller, buyer } = await bookedPhone({ people, unique }, brand);
  const provider = await PaymentProvider.of(market, TOKEN_SECRET);
  await provider.pay(buyer, id);
  const buyerOrder = await new OrderPage(await visit(buyer)).open(id);
  const sellerOrder = await new OrderPage(await visit(seller)).open(id);
  const adminOrder = await new OrderPage(await visit(adminUser)).open(id);
  await expect(buyerOrder.heading(`Next: get your phone from ${seller.name}`)).toBeVisible();
  await expect(adminOrder.heading(`${seller.name} meets ${buyer.name}`)).toBeVisible();
  for (const { page } of [buyerOrder, sellerOrder, adminOrder]) await markPage(page);

  await sellerOrder.page.getByLabel("Carrier").fill("Royal Mail");
  await sellerOrder.page.getByLabel("Tracking number").fill("RM 1");
  await sellerOrder.confirm("I have sent it");
  await expect(sellerOrder.heading(`The phone is on its way to ${buyer.name}`)).toBeFocused();
  await expect(buyerOrder.heading("Your phone is on its way")).toBeVisible();
  await expect(buyerOrder.page.getByText("Royal Mail, number RM 1").first()).toBeVisible();
  await expect(adminOrder.heading(`The phone is on its way to ${buyer.name}`)).toBeVisible();

  await sellerOrder.correctTracking("RM 2");
  await expect(sellerOrder.action("Correct the tracking number")).toBeFocused();
  for (const order of [sellerOrder, buyerOrder, adminOrder]) {
    // Also the announcement for screen readers, which is outside the main element, may have it.
    await expect(order.page.getByRole("main").getByText("Royal Mail, number RM 2")).toHaveCount(2);
  }

  await killAndRestart(market);
  await buyerOrder.reportProblem("The screen is broken");
  await expect(buyerOrder.heading("We are looking into the problem")).toBeVisible();
  await expect(sellerOrder.heading(`${buyer.name} has reported a problem`)).toBeVisible();
  await expect(sellerOrder.page.getByText("The screen is broken")).toBeVisible();
  await expect(adminOrder.heading(`Decide on the problem that ${buyer.name} reported`)).toBeVisible();

  await killAndRestart(market);
  await adminOrder.decide("Refund", "The photos show a whole screen");
  await expect(buyerOrder.heading("Your money was refunded")).toBeVisible();
  await expect(sellerOrder.heading("The sale was refunded")).toBeVisible();
  await expect(adminOrder.heading("This order was refunded")).toBeVisible();
  for (const order of [buyerOrder, sellerOrder, adminOrder]) {
    await expect(
      order.page.getByText("Reason for the decision: The photos show a whole screen"),
    ).toBeVisible();
    await expect(order.timeline.last()).toContainText("Refunded to the buyer");
  }
  await buyerOrder.choose("My Orders");
  await expect(buyerOrder.row(phone.name)).toContainText("Refunded");
  await provider.close();
});

test("the receipt prints alone, dark on light, and says whether the order was paid or refunded", async ({
  order,
  provider,
  visit,
  adminUser,
}) => {
  await provider.pay(order.buyer, order.id);
  const page = await visit(order.buyer, { colorScheme: "dark" });
  const buyerOrder = await new OrderPage(page).open(order.id);
  await expect(buyerOrder.action("Print receipt")).toBeVisible();
  await checkScreen(page, "order");
  const receipt = page.locator("[data-receipt]");
  await expect(receipt).toBeHidden();
  await page.emulateMedia({ media: "print" });
  for (const part of [
    "SecondRing",
    order.id,
    order.phone.name,
    "$320",
    order.seller.name,
    order.buyer.name,
  ]) {
    await expect(receipt).toContainText(part);
  }
  await expect(receipt).toContainText("Paid in full");
  await expect(buyerOrder.nav).toBeHidden();
  await expect(buyerOrder.heading("Dashboard")).toBeHidden();
  await expect(buyerOrder.action("Print receipt")).toBeHidden();
  expect(await receipt.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(20, 32, 26)");
  await adminUser.request("post", `/orders/${order.id}/refund`, { reason: "It was stolen" });
  await expect(receipt).toContainText("Refunded in full");
});
