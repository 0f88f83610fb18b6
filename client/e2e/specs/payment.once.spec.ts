import { Dashboard, PaymentPage, Site } from "../pages";
import { expect, test } from "../paymentFixtures";
import { blockLiveSocket, PaymentRequests, paymentPaths, RequestGate } from "../support/networkTraffic";

/** The console message about an order that is already paid. */
const ALREADY_CONFIRMED = /status of 400 .*\/confirm$/;
/** The console message when a reload requests the client secret of a paid order before the webhook arrives. */
const ALREADY_PAID = /status of 409 .*\/create-payment-intent$/;
/** The console message about a failed request. */
const REQUEST_FAILED = /ERR_/;

test("a double click followed by Enter pays once", async ({ order, payment, provider }) => {
  const { page } = payment;
  const requests = new PaymentRequests(page);
  const gate = await RequestGate.install("request", page, "confirm");
  await payment.fill("success");
  await payment.pay.dblclick();
  await gate.waitForRequests();
  await payment.pay.click({ force: true });
  await page.keyboard.press("Enter");
  gate.open();
  await payment.expectPaid();
  await provider.expectOneCharge(order.buyer, order.id);
  expect(requests.count("confirm")).toBe(1);
  expect(requests.count("record")).toBe(1);
});

test("two submissions in one turn of the event loop pay once", async ({ order, payment, provider }) => {
  const requests = new PaymentRequests(payment.page);
  await payment.fill("success");
  await payment.form.evaluate((form: HTMLFormElement) => {
    form.requestSubmit();
    form.requestSubmit();
  });
  await payment.expectPaid();
  await provider.expectOneCharge(order.buyer, order.id);
  expect(requests.count("confirm")).toBe(1);
});

test("a reload before the charge offers the form again, and one card is charged", async ({
  order,
  payment,
  provider,
  problems,
}) => {
  problems.expect(REQUEST_FAILED);
  const { page } = payment;
  const gate = await RequestGate.install("request", page, "confirm");
  await payment.payWith("success");
  await gate.waitForRequests();
  await page.reload();
  await payment.payWith("success");
  await gate.waitForRequests(2);
  gate.open();
  await payment.expectPaid();
  await provider.expectOneCharge(order.buyer, order.id);
});

test("a reload between the charge and its response ends on the success screen", async ({
  order,
  provider,
  visit,
  problems,
}) => {
  problems.expect(ALREADY_PAID);
  const page = await visit(order.buyer);
  const requests = new PaymentRequests(page);
  await blockLiveSocket(page);
  const gate = await RequestGate.install("response", page, "confirm");
  const payment = await new PaymentPage(page).open(order.id);
  await payment.payWith("success");
  await gate.waitForRequests();
  await page.reload();
  expect(await payment.expectPaid()).toBe(await provider.expectOneCharge(order.buyer, order.id));
  expect(requests.count("confirm")).toBe(1);
});

test("a reload before the payment is recorded ends on the success screen", async ({
  order,
  provider,
  visit,
  problems,
}) => {
  problems.expect(REQUEST_FAILED, ALREADY_PAID);
  const page = await visit(order.buyer);
  const requests = new PaymentRequests(page);
  await blockLiveSocket(page);
  await page.route(paymentPaths.record, (route) => route.abort());
  const payment = await new PaymentPage(page).open(order.id);
  await payment.payWith("success");
  await expect(payment.heading("Your card was charged; we are recording the payment")).toBeVisible();
  await page.reload();
  expect(await payment.expectPaid()).toBe(await provider.expectOneCharge(order.buyer, order.id));
  expect(requests.count("confirm")).toBe(1);
});

test("a reload in 3-D Secure shows the form again, and one card is charged", async ({
  order,
  payment,
  provider,
}) => {
  const requests = new PaymentRequests(payment.page);
  await payment.payWith("threeDSecure");
  await expect(payment.bank).toBeVisible();
  await payment.page.reload();
  await expect(payment.bank).toBeHidden();
  await payment.payWith("success");
  await payment.expectPaid();
  await provider.expectOneCharge(order.buyer, order.id);
  expect(requests.intents()).toHaveLength(1);
});

test("back and forward show a correct payment screen", async ({ order, provider, visit, markPage }) => {
  const page = await visit(order.buyer);
  const requests = new PaymentRequests(page);
  const orders = await new Dashboard(page).open("myOrders");
  const row = orders.row(order.phone.name);
  await row.getByRole("link", { name: "Pay", exact: true }).click();
  const payment = new PaymentPage(page);
  await markPage(page);
  await payment.payWith("threeDSecure");
  await expect(payment.bank).toBeVisible();
  await page.goBack();
  await expect(payment.bank).toBeHidden();
  await expect(row.getByText("Pay", { exact: true })).toBeVisible();

  await page.goForward();
  await payment.payWith("success");
  const id = await payment.expectPaid();
  await page.goBack();
  await expect(row.getByText("Paid", { exact: true })).toBeVisible();
  await page.goForward();
  expect(await payment.expectPaid()).toBe(id);
  expect(await provider.expectOneCharge(order.buyer, order.id)).toBe(id);
  expect(requests.intents()).toEqual([id]);
});

test("an order that is paid in one tab shows as paid in another", async ({
  order,
  payment,
  provider,
  markPage,
}) => {
  const { page } = payment;
  const requests = new PaymentRequests(page);
  const other = await new PaymentPage(await page.context().newPage()).open(order.id);
  await other.fill("success");
  for (const tab of [payment, other]) await markPage(tab.page);
  await payment.payWith("success");
  await expect(other.toast("Congrats! Your Payment Completed")).toBeVisible();
  const id = await payment.expectPaid();
  expect(await other.expectPaid()).toBe(id);
  expect(await provider.expectOneCharge(order.buyer, order.id)).toBe(id);
  expect(requests.count("confirm")).toBe(1);
});

test("Pay in two tabs at once charges once, and both show the payment", { tag: "@nodes" }, async ({
  order,
  payment,
  provider,
  problems,
}) => {
  problems.expect(ALREADY_CONFIRMED);
  const { page } = payment;
  const requests = new PaymentRequests(page);
  const gate = await RequestGate.install("request", page.context(), "confirm");
  const other = await new PaymentPage(await page.context().newPage()).open(order.id);
  for (const tab of [payment, other]) await tab.payWith("success");
  await gate.waitForRequests(2);
  gate.open();
  const ids = await Promise.all([payment.expectPaid(), other.expectPaid()]);
  const id = await provider.expectOneCharge(order.buyer, order.id);
  expect(ids).toEqual([id, id]);
  expect(requests.intents()).toEqual([id]);
});

test("an open 3-D Secure dialog closes when another tab pays, and charges nothing more", async ({
  order,
  payment,
  provider,
  problems,
}) => {
  problems.expect(/status of 400 .*\/authenticate$/);
  const other = await new PaymentPage(await payment.page.context().newPage()).open(order.id);
  await other.payWith("threeDSecure");
  await expect(other.bank).toBeVisible();
  await payment.payWith("success");
  const id = await payment.expectPaid();
  await expect(other.bank).toBeHidden();
  expect(await other.expectPaid()).toBe(id);
  await expect(other.heading("Your payment is complete")).toBeFocused();
  expect(await provider.expectOneCharge(order.buyer, order.id)).toBe(id);
});

test("an open 3-D Secure dialog closes when another tab signs out", async ({ payment }) => {
  await payment.payWith("threeDSecure");
  await expect(payment.bank).toBeVisible();
  const other = new Site(await payment.page.context().newPage());
  await other.page.goto("/blog");
  await other.signOut.click();
  await expect(payment.page).toHaveURL(/\/login$/);
  await expect(payment.bank).toBeHidden();
});
