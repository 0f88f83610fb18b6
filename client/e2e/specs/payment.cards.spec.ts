import { CategoryPage, cards, Dashboard, PaymentPage } from "../pages";
import { expect, test } from "../paymentFixtures";
import { PaymentRequests, RequestGate } from "../support/networkTraffic";

/** The console message about a declined card. */
const DECLINED = /status of 40[02] .*\/sandbox\/stripe\//;

test("a payment is shown on the open screens of the buyer, the seller and another buyer", {
  tag: "@nodes",
}, async ({ order, people, brand, provider, visit, markPage }) => {
  const { phone, buyer, seller } = order;
  const page = await visit(buyer, { viewport: { width: 360, height: 640 } });
  const secret = await RequestGate.install("request", page, "secret");
  const confirm = await RequestGate.install("request", page, "confirm");
  const orders = await new Dashboard(await page.context().newPage()).open("myOrders");
  await expect(orders.row(phone.name).getByText("Pay", { exact: true })).toBeVisible();
  const myProducts = await new Dashboard(await visit(seller)).open("myProducts");
  await expect(myProducts.row(phone.name)).toContainText("Held until");
  const category = await new CategoryPage(await visit(await people.buyer())).open(brand);
  const card = category.card(phone.name);
  await expect(card.booked).toBeVisible();
  const payment = await new PaymentPage(page).open(order.id);
  for (const open of [payment, orders, myProducts, category]) await markPage(open.page);

  await expect(payment.heading(`Payment for ${phone.name}`)).toBeVisible();
  await expect(
    page.getByText(`Please pay $${phone.resalePrice} for your booking`, { exact: true }),
  ).toBeVisible();
  await expect(page).toHaveTitle(/Payment/);
  await expect(page.getByText("Sandbox", { exact: true })).toBeVisible();

  await secret.waitForRequests();
  await expect(payment.pay).toBeDisabled();
  secret.open();
  await payment.fill("success");
  await page.getByText("Test cards").click(); // the form is higher than the window
  await payment.pay.click();
  await confirm.waitForRequests();
  await expect(payment.pay).toBeDisabled();
  await expect(payment.number).toBeDisabled();
  confirm.open();

  await expect(payment.toast("Congrats! Your Payment Completed")).toBeVisible();
  await expect(payment.heading("Your payment is complete")).toBeInViewport({ ratio: 1 });
  const id = await payment.expectPaid();
  expect(id).toBe(await provider.expectOneCharge(buyer, order.id));

  await expect(orders.row(phone.name).getByText("Paid", { exact: true })).toBeVisible();
  await expect(orders.row(phone.name).getByText("Pay", { exact: true })).toBeHidden();
  await myProducts.row(phone.name).getByText(`Paid by ${buyer.name}`).click();
  await expect(myProducts.row(phone.name)).toContainText("Sold");
  for (const text of [buyer.email, "+880 1234-300400", "Banani, Dhaka"]) {
    await expect(myProducts.row(phone.name).getByText(text, { exact: true })).toBeVisible();
  }
  await expect(card.booked).toBeVisible();
  await expect(card.bookNow).toBeHidden();
});

test("a declined card shows the reason in red, leaves Pay enabled, and another card pays", async ({
  order,
  provider,
  problems,
  visit,
}) => {
  problems.expect(DECLINED);
  const page = await visit(order.buyer);
  const requests = new PaymentRequests(page); // before the screen sends its first request
  const payment = await new PaymentPage(page).open(order.id);
  const messages = {
    declined: "Your card was declined.",
    insufficientFunds: "Your card has insufficient funds.",
    processingError: "An error occurred while processing your card. Try again in a little bit.",
    expired: "Your card has expired.",
    wrongCvc: "Your card's security code is incorrect.",
  } as const;
  for (const [card, message] of Object.entries(messages)) {
    await test.step(card, async () => {
      await payment.payWith(card as keyof typeof messages);
      await payment.expectRefused(message);
    });
  }
  const [red, green, blue] = await payment.error.evaluate((element) => {
    const context = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
    context.fillStyle = getComputedStyle(element).color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  });
  expect(red).toBeGreaterThan(2 * Math.max(green ?? 255, blue ?? 255));
  const [numberBox, errorBox] = [await payment.number.boundingBox(), await payment.error.boundingBox()];
  expect(errorBox?.y, "the error is below the card field").toBeGreaterThan(
    (numberBox?.y ?? 0) + (numberBox?.height ?? 0),
  );

  await payment.payWith("success");
  await payment.expectPaid();
  await provider.expectOneCharge(order.buyer, order.id);
  expect(requests.count("confirm")).toBe(6);
  expect(requests.intents()).toHaveLength(1);
  expect(requests.count("secret"), "one secret for all attempts").toBe(1);
});

test("each order has its own payment, with cards of every brand", async ({
  order,
  brand,
  provider,
  unique,
  visit,
  markPage,
}) => {
  const { buyer, seller } = order;
  const brands = ["mastercard", "amex", "discover"] as const;
  for (const name of brands) await buyer.book(await seller.list(unique(name), brand));
  const page = await visit(buyer);
  const requests = new PaymentRequests(page);
  const orders = await new Dashboard(page).open("myOrders");
  const links = orders.table.getByRole("link", { name: "Pay", exact: true });
  await expect(links).toHaveCount(4);
  await markPage(page);
  // Opens the screen of another order, so that its secret and its card field are loaded.
  await links.last().click();
  await new PaymentPage(page).fill("success");
  await page.goBack();
  const ids: string[] = [];
  for (const name of brands) {
    await links.first().click();
    const payment = new PaymentPage(page);
    await expect(payment.number).toBeEmpty();
    await payment.payWith(name);
    ids.push(await payment.expectPaid());
    await payment.choose("My Orders");
    await expect(links).toHaveCount(3 - brands.indexOf(name));
  }
  expect(requests.intents().sort()).toEqual([...ids].sort());
  const [newest] = await buyer.orders();
  expect(await provider.expectOneCharge(buyer, newest?._id ?? "")).toBe(ids[0]);
  expect((await buyer.orders()).find(({ _id }) => _id === order.id)).toMatchObject({ status: "held" });
});

test("an incomplete or invalid card number is refused in the form and not sent", async ({ payment }) => {
  const requests = new PaymentRequests(payment.page);
  await expect(payment.pay).toBeEnabled();
  await payment.pay.click();
  await payment.expectRefused("Your card number is incomplete.");
  await payment.number.fill("4242 4242");
  await payment.pay.click();
  await payment.expectRefused("Your card number is incomplete.");
  await payment.number.fill(cards.success);
  await expect(payment.error).toBeHidden();
  await payment.pay.click();
  await payment.expectRefused("Your card's expiration date is incomplete.");
  await payment.expiry.fill("12 / 34");
  await expect(payment.error, "a corrected field shows no error").toBeHidden();
  await payment.expiry.fill("01 / 20");
  await payment.expectRefused("Your card's expiration year is in the past.");
  await payment.expiry.fill("12 / 34");
  await payment.cvc.fill("12");
  await payment.pay.click();
  await payment.expectRefused("Your card's security code is incomplete.");
  await payment.fill("incorrectNumber");
  await payment.expectRefused("Your card number is invalid.");
  await payment.pay.click();
  await payment.expectRefused("Your card number is invalid.");
  await payment.number.fill(cards.success);
  await expect(payment.error).toBeHidden();
  expect(requests.count("confirm")).toBe(0);
});

test("3-D Secure asks the bank before it pays; after a failure, Escape or a decline it can be tried again", async ({
  order,
  payment,
  provider,
  problems,
}) => {
  problems.expect(DECLINED);
  const failed =
    "We are unable to authenticate your payment method. Please choose a different payment method and try again.";
  await payment.payWith("threeDSecure");
  await expect(payment.bank).toContainText("320.00 USD");
  await payment.answerAuthentication("Fail authentication");
  await payment.expectRefused(failed);
  await payment.pay.click();
  await expect(payment.bank).toBeVisible();
  await expect(payment.error).toBeHidden();
  await payment.page.keyboard.press("Escape");
  await payment.expectRefused(failed);
  await payment.payWith("threeDSecureDeclined");
  await payment.answerAuthentication("Complete authentication");
  await payment.expectRefused("Your card was declined.");
  await payment.payWith("threeDSecure");
  await payment.answerAuthentication("Complete authentication");
  await expect(payment.toast("Congrats! Your Payment Completed")).toBeVisible();
  await payment.expectPaid();
  await provider.expectOneCharge(order.buyer, order.id);
});
