import { cards, Dashboard, PaymentPage } from "../pages";
import { expect, type Order, test } from "../paymentFixtures";
import { blockLiveSocket, calls } from "../support/networkTraffic";
import type { PaymentProvider } from "../support/paymentProvider";
import { checkScreen } from "../support/screenChecks";
import { SOAK } from "../support/soak";

/** One state of the screen, and how to reach it. */
type State = (payment: PaymentPage, order: Order, provider: PaymentProvider) => Promise<void>;

/** Opens the screen and presses Pay. */
async function paying(payment: PaymentPage, { id }: Order, card: Parameters<PaymentPage["payWith"]>[0]) {
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
  unsure: async (payment, order) => {
    await payment.page.route(calls.confirm, (route) => route.abort());
    await paying(payment, order, "success");
    await expect(payment.error).toBeVisible();
  },
  "3d-secure": async (payment, order) => {
    await paying(payment, order, "threeDSecure");
    await expect(payment.bank).toBeVisible();
  },
  recording: async (payment, order) => {
    await blockLiveSocket(payment.page);
    await payment.page.route(calls.record, (route) => route.abort());
    await paying(payment, order, "success");
    await expect(payment.transactionId).toBeVisible();
  },
  unrecorded: async (payment, order) => {
    await blockLiveSocket(payment.page);
    const message = "This payment is not what the booking asks for";
    await payment.page.route(calls.record, (route) =>
      route.fulfill({ status: 422, json: { message, code: "invalid" } }),
    );
    // The response with the order is as old as the rejection.
    await payment.open(order.id);
    await payment.fill("success");
    await payment.page.route(/\/booking\//, (route) => route.abort());
    await payment.pay.click();
    await expect(payment.page.getByText(message)).toBeVisible();
  },
  paid: async (payment, order) => {
    await paying(payment, order, "success");
    await payment.expectPaid();
  },
  refunded: async (payment, order, provider) => {
    await provider.refund(await provider.pay(order.buyer, order.id));
    await payment.open(order.id);
    await expect(payment.heading("Refunded")).toBeVisible();
  },
  "not-mine": async (payment) => {
    await payment.open("nowhere");
    await expect(payment.page.getByText("There is no such booking")).toBeVisible();
  },
  "my-orders": async (payment, { id, buyer, phone, seller }, provider) => {
    await provider.pay(buyer, id);
    const more = {
      name: `${phone.name} of others, 256 GB`,
      brand: { _id: phone.id, name: phone.brand, img: phone.img },
    };
    const refunded = await buyer.book(await seller.list(`${more.name}, black`, more.brand));
    await provider.refund(await provider.pay(buyer, refunded));
    const cancelled = await buyer.book(await seller.list(`${more.name}, red`, more.brand));
    await buyer.request("delete", `/bookings/${cancelled}`);
    await buyer.book(await seller.list(more.name, more.brand));
    const orders = await new Dashboard(payment.page).open("myOrders");
    for (const word of ["Pay", "Paid", "Refunded", "Cancelled"]) {
      await expect(orders.table.getByText(word, { exact: true })).toBeVisible();
    }
  },
};

for (const [name, reach] of Object.entries(states)) {
  const title = `the payment's ${name} is accessible and fits, narrow and wide, light and dark`;
  test(title, { tag: name === "form" ? [] : [SOAK] }, async ({ order, provider, visit, problems }) => {
    problems.expect(/status of (40[24]|422|503) /, /ERR_FAILED/);
    const page = await visit(order.buyer, { reducedMotion: "reduce" });
    await reach(new PaymentPage(page), order, provider);
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
  const page = await visit(seller, { reducedMotion: "reduce" });
  const shelf = await new Dashboard(page).open("myProducts");
  await shelf.row(phone.name).getByText(`Paid by ${buyer.name}`).click();
  await expect(shelf.row(phone.name).getByText(buyer.email)).toBeVisible();
  await checkScreen(page, "my-products-paid");
});
