import { cards, Dashboard, PaymentPage } from "../pages";
import { expect, type Order, test } from "../paymentFixtures";
import { blockLiveSocket, paymentPaths } from "../support/networkTraffic";
import type { PaymentProvider } from "../support/paymentProvider";
import { checkScreen } from "../support/screenChecks";
import { SOAK } from "../support/soak";

/** One state of the screen, and how to reach it. */
type State = (payment: PaymentPage, order: Order, provider: PaymentProvider) => Promise<void>;

/** Opens the screen and presses Pay. */
async function openAndPay(payment: PaymentPage, { id }: Order, card: Parameters<PaymentPage["payWith"]>[0]) {
  await payment.open(id);
  await payment.payWith(card);
}

const states: Record<string, State> = {
  form: async (payment, { id }) => {
    await payment.open(id);
    await payment.page.getByText("Test cards", { exact: true }).click();
    await payment.page.getByRole("button", { name: cards.threeDSecure }).click();
    await expect(payment.number).toHaveValue(cards.threeDSecure);
    await expect(payment.pay).toBeEnabled();
  },
  incomplete: async (payment, { id }) => {
    await payment.open(id);
    await payment.number.fill("4242 42");
    await payment.pay.click();
    await payment.expectRefused("Your card number is incomplete.");
  },
  "unknown-result": async (payment, order) => {
    await payment.page.route(paymentPaths.confirm, (route) => route.abort());
    await openAndPay(payment, order, "success");
    await expect(payment.error).toBeVisible();
  },
  "3d-secure": async (payment, order) => {
    await openAndPay(payment, order, "threeDSecure");
    await expect(payment.bank).toBeVisible();
  },
  recording: async (payment, order) => {
    await blockLiveSocket(payment.page);
    await payment.page.route(paymentPaths.record, (route) => route.abort());
    await openAndPay(payment, order, "success");
    await expect(payment.transactionId).toBeVisible();
  },
  unrecorded: async (payment, order) => {
    await blockLiveSocket(payment.page);
    const message = "This payment is not what the booking asks for";
    await payment.page.route(paymentPaths.record, (route) =>
      route.fulfill({ status: 422, json: { message, code: "invalid" } }),
    );
    // A later response with the order would replace the rejection.
    await payment.open(order.id);
    await payment.fill("success");
    await payment.page.route(/\/booking\//, (route) => route.abort());
    await payment.pay.click();
    await expect(payment.page.getByText(message)).toBeVisible();
  },
  paid: async (payment, order) => {
    await openAndPay(payment, order, "success");
    await payment.expectPaid();
  },
  refunded: async (payment, order, provider) => {
    await provider.refund(await provider.pay(order.buyer, order.id));
    await payment.open(order.id);
    await expect(payment.heading("Refunded")).toBeVisible();
  },
  "not-found": async (payment) => {
    await payment.open("nowhere");
    await expect(payment.page.getByText("There is no such booking")).toBeVisible();
  },
  "my-orders": async (payment, { id, buyer, phone, seller }, provider) => {
    await provider.pay(buyer, id);
    const name = `${phone.name} of others, 256 GB`;
    const brand = { _id: phone.id, name: phone.brand, img: phone.img };
    const refunded = await buyer.book(await seller.list(`${name}, black`, brand));
    await provider.refund(await provider.pay(buyer, refunded));
    const cancelled = await buyer.book(await seller.list(`${name}, red`, brand));
    await buyer.request("delete", `/bookings/${cancelled}`);
    await buyer.book(await seller.list(name, brand));
    const orders = await new Dashboard(payment.page).open("myOrders");
    for (const status of ["Pay", "Paid", "Refunded", "Cancelled"]) {
      await expect(orders.table.getByText(status, { exact: true })).toBeVisible();
    }
  },
};

for (const [name, show] of Object.entries(states)) {
  const title = `the payment screen in the state ${name} is accessible and fits, narrow and wide, light and dark`;
  test(title, { tag: name === "form" ? [] : [SOAK] }, async ({ order, provider, visit, problems }) => {
    problems.expect(/status of (40[24]|422|503) /, /ERR_FAILED/);
    const page = await visit(order.buyer);
    await show(new PaymentPage(page), order, provider);
    await checkScreen(page, `payment-${name}`);
  });
}

test("a seller's table shows what is paid and what is held", async ({
  order,
  brand,
  people,
  provider,
  visit,
}) => {
  const { seller, buyer, id, phone } = order;
  await provider.pay(buyer, id);
  await (await people.buyer()).book(await seller.list(`${phone.name}, held`, brand));
  await seller.list(`${phone.name}, free`, brand);
  const page = await visit(seller);
  const myProducts = await new Dashboard(page).open("myProducts");
  await myProducts.row(phone.name).getByText(`Paid by ${buyer.name}`).click();
  await expect(myProducts.row(phone.name).getByText(buyer.email)).toBeVisible();
  await checkScreen(page, "my-products-paid");
});
