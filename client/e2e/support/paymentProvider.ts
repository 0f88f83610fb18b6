import { createHmac } from "node:crypto";
import { type APIRequestContext, expect } from "@playwright/test";
import { newCalls } from "./calls";
import type { Market } from "./market";
import type { Person } from "./person";

/** A payment intent as the card provider returns it; amounts are in cents. */
export interface Intent {
  id: string;
  status: string;
  amount: number;
  amount_received: number;
  metadata: Record<string, string>;
  latest_charge: { id: string; status: string; amount_refunded: number } | null;
}

/** Calls to the card provider's API with the secret key: reads, confirms and refunds payments. */
export class PaymentProvider {
  private constructor(
    private readonly market: Market,
    private readonly http: APIRequestContext,
  ) {}

  /** For a market that was started with this TOKEN_SECRET, from which the sandbox derives its secret key. */
  static async of(market: Market, tokenSecret: string): Promise<PaymentProvider> {
    const key = createHmac("sha256", tokenSecret).update("payment sandbox: secret key").digest("hex");
    return new PaymentProvider(
      market,
      await newCalls({ Authorization: `Bearer sk_test_sandbox_${key.slice(0, 40)}` }),
    );
  }

  private urlOf(path: string): string {
    return `${this.market.nextUrl("call")}/sandbox/stripe/v1/${path}`;
  }

  async close(): Promise<void> {
    await this.http.dispose();
  }

  /** A payment intent, with its newest charge. */
  async intent(id: string): Promise<Intent> {
    const response = await this.http.get(this.urlOf(`payment_intents/${id}`), {
      params: { "expand[]": "latest_charge" },
    });
    expect(response.ok(), await response.text()).toBe(true);
    return (await response.json()) as Intent;
  }

  /** Confirms an order's payment without a screen, by one of Stripe's test methods. Returns the payment intent's id. */
  async confirm(buyer: Person, order: string, method: string): Promise<string> {
    const { price } = await buyer.request<Booking>("get", `/booking/${order}`);
    const { clientSecret } = await buyer.request<{ clientSecret: string }>("post", "/create-payment-intent", {
      price,
      bookingId: order,
    });
    const id = clientSecret.split("_secret_")[0] as string;
    const response = await this.http.post(this.urlOf(`payment_intents/${id}/confirm`), {
      form: { payment_method: method },
    });
    expect(response.ok(), await response.text()).toBe(true);
    return id;
  }

  /** Pays for an order without a screen and waits until the market has recorded it. Returns the payment intent's id. */
  async pay(buyer: Person, order: string): Promise<string> {
    await this.confirm(buyer, order, "pm_card_visa");
    return this.expectOneCharge(buyer, order);
  }

  /** Refunds a payment in full. */
  async refund(id: string): Promise<void> {
    const response = await this.http.post(this.urlOf("refunds"), { form: { payment_intent: id } });
    expect(response.ok(), await response.text()).toBe(true);
  }

  /** Expects that an order is paid by exactly one charge of its total. Returns the payment intent's id. */
  async expectOneCharge(buyer: Person, order: string): Promise<string> {
    const readOrder = () => buyer.request<Booking>("get", `/booking/${order}`);
    await expect.poll(async () => (await readOrder()).status, { message: "the order's status" }).toBe("paid");
    const { total, transactionId } = await readOrder();
    const intent = await this.intent(transactionId);
    expect(intent).toMatchObject({
      status: "succeeded",
      amount: total * 100,
      amount_received: total * 100,
      latest_charge: { status: "succeeded", amount_refunded: 0 },
    });
    expect(Object.values(intent.metadata)).toContain(order);
    return transactionId;
  }
}

/** The fields of GET /booking/{id} that are used here. */
interface Booking {
  status: string;
  price: number;
  total: number;
  transactionId: string;
}
