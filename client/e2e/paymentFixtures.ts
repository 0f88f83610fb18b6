import { test as base, type People } from "./fixtures";
import { PaymentPage } from "./pages";
import { PaymentProvider } from "./support/paymentProvider";
import type { Person, Phone } from "./support/person";

/** The sandbox derives its API keys from this secret. */
export const TOKEN_SECRET = "a secret of the browser tests, known to all";

/** A phone that is booked and not yet paid. */
export interface Order {
  id: string;
  phone: Phone;
  seller: Person;
  buyer: Person;
}

/** Lists a phone as a new seller and books it as a new buyer. */
export async function bookedPhone(
  { people, unique }: { people: People; unique: (name: string) => string },
  brand: { _id: string; name: string; img: string },
): Promise<Order> {
  const [seller, buyer] = await Promise.all([people.seller(), people.buyer()]);
  const phone = await seller.list(unique("Payable"), brand);
  return { id: await buyer.book(phone), phone, seller, buyer };
}

interface PayingFixtures {
  order: Order;
  /** The order's payment screen, opened by its buyer. */
  payment: PaymentPage;
}

/** The fixtures of payment tests. Each test has its own order. */
export const test = base.extend<PayingFixtures, { provider: PaymentProvider }>({
  settings: [{ TOKEN_SECRET }, { scope: "worker" }],

  provider: [
    async ({ market }, use) => {
      const provider = await PaymentProvider.of(market, TOKEN_SECRET);
      await use(provider);
      await provider.close();
    },
    { scope: "worker" },
  ],

  order: async ({ people, unique, brand }, use) => use(await bookedPhone({ people, unique }, brand)),

  payment: async ({ visit, order }, use) => {
    const page = await visit(order.buyer);
    await use(await new PaymentPage(page).open(order.id));
  },
});

export { expect } from "./fixtures";
