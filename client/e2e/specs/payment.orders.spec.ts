import { CategoryPage, Dashboard, LoginPage, PaymentPage } from "../pages";
import { expect, TOKEN_SECRET, test } from "../paymentFixtures";
import { blockLiveSocket, PaymentRequests } from "../support/networkTraffic";

test("an expired hold removes Pay, in 3-D Secure too, and releases the phone", {
  tag: "@nodes",
}, async ({ ownMarket, unique, visit, markPage, problems }) => {
  problems.expect(/status of 400 .*\/authenticate$/);
  const { brand, people } = await ownMarket({ BOOKING_HOLD: "120s", TOKEN_SECRET });
  const buyer = await people.buyer();
  const seller = await people.seller();
  const [unpaid, authenticating] = [
    await seller.list(unique("Unpaid"), brand),
    await seller.list(unique("Authenticating"), brand),
  ];
  const page = await visit(buyer);
  const category = await new CategoryPage(await visit(await people.buyer())).open(brand);
  await expect(category.card(unpaid.name).bookNow).toBeVisible();

  const id = await buyer.book(unpaid);
  const payment = await new PaymentPage(page).open(id);
  const withoutLive = new PaymentPage(await page.context().newPage());
  await blockLiveSocket(withoutLive.page);
  await withoutLive.open(id);
  const second = await new PaymentPage(await page.context().newPage()).open(await buyer.book(authenticating));
  await second.payWith("threeDSecure");
  await expect(second.bank).toBeVisible();
  await expect(payment.pay).toBeVisible();
  for (const tab of [payment, withoutLive, second]) await markPage(tab.page);

  // The screen gets an event. Without a live connection it requests the booking again at the deadline.
  for (const tab of [payment, withoutLive]) {
    await expect(tab.heading("The time to pay has run out")).toBeVisible({ timeout: 240_000 });
    await expect(tab.pay).toBeHidden();
  }
  for (const { name } of [unpaid, authenticating]) await expect(category.card(name).bookNow).toBeVisible();
  await second.answerAuthentication("Complete authentication");
  await expect(second.heading("The time to pay has run out")).toBeVisible();
  await expect(second.pay).toBeHidden();
});

test("a booking that is cancelled in another tab is shown as cancelled", async ({
  order,
  payment,
  markPage,
}) => {
  await expect(payment.pay).toBeEnabled();
  await markPage(payment.page);
  const orders = await new Dashboard(await payment.page.context().newPage()).open("myOrders");
  await orders
    .row(order.phone.name)
    .getByRole("button", { name: /^Cancel/ })
    .click();
  await orders.page.getByRole("button", { name: "Cancel booking", exact: true }).click();
  await expect(payment.heading("This booking was cancelled")).toBeVisible();
  await expect(payment.pay).toBeHidden();
});

test("a booking that ends with its seller's account is shown as ended", async ({
  order,
  payment,
  adminUser,
  markPage,
}) => {
  await expect(payment.pay).toBeEnabled();
  await markPage(payment.page);
  await adminUser.request("delete", `/users/${await adminUser.idOf(order.seller, "sellers")}`);
  await expect(payment.heading("This booking was cancelled")).toBeVisible();
  await expect(payment.pay).toBeHidden();
});

test("a payment that is pending at the bank is not requested again", async ({
  order,
  payment,
  provider,
  problems,
}) => {
  problems.expect(/status of 400 .*\/confirm$/);
  await payment.fill("success");
  await provider.confirm(order.buyer, order.id, "pm_usBankAccount_processing");
  const processing = payment.heading("Your payment is being processed");
  // The provider rejects a second confirmation while one is processed. A new screen reads the status first.
  await payment.pay.click();
  await expect(processing).toBeVisible();
  await expect(payment.pay).toBeHidden();
  await payment.page.reload();
  await expect(processing).toBeVisible();
  await expect(payment.pay).toBeHidden();
});

test("a payment that the card's owner disputes is shown as refunded, live", async ({
  order,
  payment,
  markPage,
}) => {
  await markPage(payment.page);
  await payment.payWith("disputed");
  await expect(payment.toast("Congrats! Your Payment Completed")).toBeVisible();
  await expect(payment.heading("Refunded")).toBeVisible();
  expect((await order.buyer.orders())[0]).toMatchObject({ status: "refunded" });
});

test("a refund at the card provider is shown on the order, live", async ({
  order,
  payment,
  brand,
  people,
  provider,
  visit,
  markPage,
}) => {
  await expect(payment.pay).toBeEnabled();
  const orders = await new Dashboard(await payment.page.context().newPage()).open("myOrders");
  const category = await new CategoryPage(await visit(await people.buyer())).open(brand);
  const id = await provider.pay(order.buyer, order.id);
  expect(await payment.expectPaid()).toBe(id);
  const row = orders.row(order.phone.name);
  await expect(row.getByText("Paid", { exact: true })).toBeVisible();
  for (const open of [payment, orders, category]) await markPage(open.page);

  await provider.refund(id);
  await expect(row.getByText("Refunded", { exact: true })).toBeVisible();
  await expect(payment.heading("Refunded")).toBeVisible();
  await expect(
    payment.page.getByText("Your payment for this phone has been refunded in full.", { exact: true }),
  ).toBeVisible();
  const card = category.card(order.phone.name);
  await expect(card.booked, "the phone stays sold").toBeVisible();
  await expect(card.bookNow).toBeHidden();
});

test("a booking that belongs to another buyer, or does not exist, cannot be paid", async ({
  order,
  people,
  adminUser,
  visit,
  problems,
}) => {
  problems.expect(/status of 40[34] /);
  const others = [await people.buyer("Stranger"), order.seller];
  for (const person of others) {
    const payment = await new PaymentPage(await visit(person)).open(order.id);
    const requests = new PaymentRequests(payment.page);
    await expect(
      payment.page.getByText("This booking belongs to someone else", { exact: true }),
    ).toBeVisible();
    await expect(payment.pay).toBeHidden();
    await payment.open("nowhere");
    await expect(payment.page.getByText("There is no such booking", { exact: true })).toBeVisible();
    await expect(payment.page.getByRole("link", { name: "Go to your dashboard" })).toBeVisible();
    expect(requests.count("secret")).toBe(0);
  }
  const adminView = await new PaymentPage(await visit(adminUser)).open(order.id);
  await expect(adminView.heading(`Payment for ${order.phone.name}`)).toBeVisible();
  await expect(adminView.page.getByText("You can only pay for your own bookings")).toBeVisible();
  await expect(adminView.pay).toBeHidden();
  await expect(adminView.page.getByRole("button", { name: "Try again" })).toBeHidden();
});

test("a visitor returns to the payment after the login", async ({ order, provider, visit, markPage }) => {
  const page = await visit();
  const payment = await new PaymentPage(page).open(order.id);
  await expect(page).toHaveURL(/\/login$/);
  await markPage(page);
  await new LoginPage(page).signIn(order.buyer);
  await expect(page).toHaveURL(new RegExp(`/dashboard/payment/${order.id}$`));
  await payment.payWith("success");
  await payment.expectPaid();
  await provider.expectOneCharge(order.buyer, order.id);
});

test("a payment with the keyboard alone, and its success is announced", async ({
  order,
  provider,
  visit,
}) => {
  const page = await visit(order.buyer);
  const orders = await new Dashboard(page).open("myOrders");
  const payment = new PaymentPage(page);
  const link = orders.row(order.phone.name).getByRole("link", { name: "Pay", exact: true });
  await expect(link).toBeVisible();
  const tabTo = async (target: typeof link) => {
    for (let presses = 0; presses < 40; presses += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error("Tab did not reach the element");
  };
  await tabTo(link);
  await page.keyboard.press("Enter");
  await expect(payment.pay).toBeEnabled();
  await tabTo(payment.number);
  // A complete input moves the focus to the next one.
  await page.keyboard.type("4000002760003184" + "1234" + "123");
  await expect(payment.postal).toBeFocused();
  await page.keyboard.type("12345");
  await page.keyboard.press("Enter");
  await expect(payment.bank).toBeVisible();
  await expect(payment.bank.getByRole("button", { name: "Complete authentication" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(payment.toast("Congrats! Your Payment Completed")).toBeVisible();
  await payment.expectPaid();
  await expect(page.getByRole("log", { name: "Live changes" })).toContainText("Your payment is complete");
  await expect(payment.heading("Your payment is complete")).toBeFocused();
  await provider.expectOneCharge(order.buyer, order.id);
});
