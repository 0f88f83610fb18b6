import { Dashboard, PaymentPage } from "../pages";
import { bookedPhone, expect, TOKEN_SECRET, test } from "../paymentFixtures";
import {
  blockLiveSocket,
  dropResponse,
  PaymentRequests,
  paymentPaths,
  RequestGate,
} from "../support/networkTraffic";
import { PaymentProvider } from "../support/paymentProvider";

/** The console messages about a lost connection or an unavailable server. */
const UNAVAILABLE = /ERR_|WebSocket|status of 503 /;
const UNKNOWN_RESULT =
  "The card provider could not be reached, so we can't tell yet whether your card was charged. " +
  "Press Pay again: we check first, so you are never charged twice.";

test("Pay without a connection charges nothing, and pays once after the reconnection", async ({
  order,
  payment,
  provider,
  markPage,
  problems,
}) => {
  problems.expect(UNAVAILABLE);
  const { page } = payment;
  await payment.fill("success");
  await markPage(page);
  await page.context().setOffline(true);
  await payment.pay.click();
  await payment.expectRefused(UNKNOWN_RESULT);
  expect((await order.buyer.orders())[0]).toMatchObject({ status: "held" });
  await page.context().setOffline(false);
  const requests = new PaymentRequests(page);
  await payment.pay.click();
  await payment.expectPaid();
  await provider.expectOneCharge(order.buyer, order.id);
  expect(requests.count("confirm")).toBe(1);
});

test("a charge whose response is lost is found without pressing Pay again", async ({
  order,
  provider,
  visit,
  problems,
}) => {
  problems.expect(UNAVAILABLE);
  const page = await visit(order.buyer);
  const requests = new PaymentRequests(page);
  await blockLiveSocket(page);
  await page.route(paymentPaths.confirm, dropResponse);
  const payment = await new PaymentPage(page).open(order.id);
  await payment.payWith("success");
  expect(await payment.expectPaid()).toBe(await provider.expectOneCharge(order.buyer, order.id));
  expect(requests.count("confirm")).toBe(1);
});

test("a charge whose status cannot be read is found when Pay is pressed again, before a second charge", async ({
  order,
  provider,
  visit,
  problems,
}) => {
  problems.expect(UNAVAILABLE);
  const page = await visit(order.buyer);
  const requests = new PaymentRequests(page);
  await blockLiveSocket(page);
  await page.route(paymentPaths.confirm, dropResponse);
  const payment = await new PaymentPage(page).open(order.id);
  await payment.fill("success");
  await page.route(paymentPaths.status, (route) => route.abort());
  await payment.pay.click();
  await payment.expectRefused(UNKNOWN_RESULT);
  await page.unroute(paymentPaths.status);
  await payment.pay.click();
  expect(await payment.expectPaid()).toBe(await provider.expectOneCharge(order.buyer, order.id));
  expect(requests.count("confirm")).toBe(1);
});

test("a payment that cannot be recorded at once is recorded later, and not requested again", async ({
  order,
  provider,
  visit,
  problems,
}) => {
  problems.expect(UNAVAILABLE);
  const page = await visit(order.buyer);
  const requests = new PaymentRequests(page);
  await blockLiveSocket(page);
  await page.route(paymentPaths.record, (route) =>
    requests.count("record") % 2
      ? route.abort()
      : route.fulfill({ status: 503, json: { message: "Unavailable" } }),
  );
  const payment = await new PaymentPage(page).open(order.id);
  await payment.payWith("success");
  await expect(payment.heading("Your card was charged; we are recording the payment")).toBeVisible();
  await expect(payment.transactionId).toBeVisible();
  await expect(payment.pay).toBeHidden();
  await expect.poll(() => requests.count("record")).toBeGreaterThan(1);
  await page.unroute(paymentPaths.record);
  await expect(payment.toast("Congrats! Your Payment Completed")).toBeVisible();
  expect(await payment.expectPaid()).toBe(await provider.expectOneCharge(order.buyer, order.id));
  expect(requests.count("confirm")).toBe(1);
});

test("closing the window right after the charge leaves a paid order", { tag: "@nodes" }, async ({
  order,
  payment,
  provider,
  visit,
}) => {
  const gate = await RequestGate.install("response", payment.page, "confirm");
  const requests = new PaymentRequests(payment.page);
  await payment.payWith("success");
  await gate.waitForRequests();
  await payment.page.close();
  const orders = await new Dashboard(await visit(order.buyer)).open("myOrders");
  await expect(orders.row(order.phone.name).getByText("Paid", { exact: true })).toBeVisible();
  await provider.expectOneCharge(order.buyer, order.id);
  expect(requests.count("record")).toBe(0);
});

test("a server that is killed right after the charge finds the payment after its restart", {
  tag: "@nodes",
}, async ({ ownMarket, unique, visit, markPage, problems }) => {
  problems.expect(UNAVAILABLE);
  const { market, brand, people } = await ownMarket({ TOKEN_SECRET });
  const { id, buyer } = await bookedPhone({ people, unique }, brand);
  const provider = await PaymentProvider.of(market, TOKEN_SECRET);
  const page = await visit(buyer);
  await blockLiveSocket(page);
  const gate = await RequestGate.install("response", page, "confirm");
  const payment = await new PaymentPage(page).open(id);
  await markPage(page);
  await payment.payWith("success");
  await gate.waitForRequests();
  await market.stop("SIGKILL");
  gate.open();
  await expect(payment.heading("Your card was charged; we are recording the payment")).toBeVisible();
  await market.start();
  expect(await payment.expectPaid()).toBe(await provider.expectOneCharge(buyer, id));
  await provider.close();
});
