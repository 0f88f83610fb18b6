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

test("a handover by code and its payout are shown to both sides and an admin at once, over a kill of each node", {
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

  const buying = await new OrderPage(await visit(buyer)).open(id);
  await expect(buying.heading("Pay to keep this phone")).toBeVisible();
  await markPage(buying.page);
  await provider.pay(buyer, id);
  await expect(buying.heading(`${seller.name} meets you or sends you the phone`)).toBeVisible();

  const selling = new OrderPage(await visit(seller));
  await new Dashboard(selling.page).open("myProducts");
  await selling.page.getByRole("link", { name: `See order of ${phone.name}` }).click();
  await expect(selling.heading(`Meet ${buyer.name} or send the phone`)).toBeVisible();
  await markPage(selling.page);

  await killAndRestart(market);
  const code = await buying.showCode();
  await expect(buying.qrCode).toBeVisible();
  await selling.code.fill(String((Number(code) + 1) % 1_000_000).padStart(6, "0"));
  await selling.action("Confirm the handover").click();
  await expect(selling.page.getByText("This is not the buyer's code. Tries left: 4")).toBeVisible();

  await killAndRestart(market);
  const scanned = await new OrderPage(await selling.page.context().newPage()).open(id, `#code=${code}`);
  await expect(scanned.code).toHaveValue(code);
  await scanned.action("Confirm the handover").click();
  await expect(buying.heading("This order is completed")).toBeVisible();
  for (const window of [selling, scanned]) {
    await expect(window.heading("The sale is completed")).toBeVisible();
    await expect(window.code).toBeHidden();
  }
  for (const window of [buying, selling]) {
    await expect(window.timeline).toContainText([
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
  await orders.page.getByRole("dialog").getByRole("button", { name: "Mark as paid out" }).click();
  await expect(orders.row(phone.name)).toContainText("Transfer 12");
  for (const { timeline } of [buying, selling]) {
    await expect(timeline.last()).toHaveText(/^Paid out to the seller\s*\d/);
  }
  await provider.close();
});

test("a problem with a phone that was sent ends with an admin's refund, on every screen, over a kill of each node", {
  tag: "@nodes",
}, async ({ ownMarket, unique, visit, markPage, problems }) => {
  test.slow();
  problems.expect(NODE_STOPPED);
  const { market, adminUser, brand, people } = await ownMarket({ TOKEN_SECRET });
  const { id, phone, seller, buyer } = await bookedPhone({ people, unique }, brand);
  const provider = await PaymentProvider.of(market, TOKEN_SECRET);
  await provider.pay(buyer, id);
  const buying = await new OrderPage(await visit(buyer)).open(id);
  const selling = await new OrderPage(await visit(seller)).open(id);
  const deciding = await new OrderPage(await visit(adminUser)).open(id);
  await expect(buying.heading(`${seller.name} meets you or sends you the phone`)).toBeVisible();
  await expect(deciding.heading(`${seller.name} meets ${buyer.name} or sends the phone`)).toBeVisible();
  for (const { page } of [buying, selling, deciding]) await markPage(page);

  await selling.page.getByLabel("Carrier").fill("Royal Mail");
  await selling.page.getByLabel("Tracking number").fill("RM 1");
  await selling.confirm("I have sent it");
  await expect(selling.heading(`The phone is on its way to ${buyer.name}`)).toBeFocused();
  await expect(buying.heading("Your phone is on its way")).toBeVisible();
  await expect(buying.page.getByText("Royal Mail, number RM 1").first()).toBeVisible();
  await expect(deciding.heading(`The phone is on its way to ${buyer.name}`)).toBeVisible();

  await selling.correctTracking("RM 2");
  await expect(selling.action("Correct the tracking number")).toBeFocused();
  for (const window of [selling, buying, deciding]) {
    await expect(window.page.getByText("Royal Mail, number RM 2")).toHaveCount(2);
  }

  await killAndRestart(market);
  await buying.reportProblem("The screen is broken");
  await expect(buying.heading("We are looking into your problem")).toBeVisible();
  await expect(selling.heading(`${buyer.name} has reported a problem`)).toBeVisible();
  await expect(selling.page.getByText("The screen is broken")).toBeVisible();
  await expect(deciding.heading(`Decide on the problem of ${buyer.name}`)).toBeVisible();

  await killAndRestart(market);
  await deciding.decide("Refund the buyer", "The photos show a whole screen");
  await expect(buying.heading("Your money was refunded")).toBeVisible();
  await expect(selling.heading("The sale was refunded")).toBeVisible();
  await expect(deciding.heading("This order was refunded")).toBeVisible();
  for (const window of [buying, selling, deciding]) {
    await expect(
      window.page.getByText("Reason for the decision: The photos show a whole screen"),
    ).toBeVisible();
    await expect(window.timeline.last()).toContainText("Refunded to the buyer");
  }
  await buying.choose("My Orders");
  await expect(buying.row(phone.name)).toContainText("Refunded");
  await provider.close();
});

test("the receipt prints alone, dark on light, and says what became of the money", async ({
  order,
  provider,
  visit,
  adminUser,
}) => {
  await provider.pay(order.buyer, order.id);
  const page = await visit(order.buyer, { colorScheme: "dark" });
  const buying = await new OrderPage(page).open(order.id);
  await expect(buying.action("Print receipt")).toBeVisible();
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
  await expect(buying.nav).toBeHidden();
  await expect(buying.heading("Dashboard")).toBeHidden();
  await expect(buying.action("Print receipt")).toBeHidden();
  expect(await receipt.evaluate((one) => getComputedStyle(one).color)).toBe("rgb(20, 32, 26)");
  await adminUser.request("post", `/orders/${order.id}/refund`, { reason: "It was stolen" });
  await expect(receipt).toContainText("Refunded in full");
});
