import type { PaymentIntentResult, Stripe, StripeCardElement } from "@stripe/stripe-js";
import * as t from "@/texts/payment";
import { type Verdict, verdictOf } from "./verdict";

/** Asks, and reads the answer; that Stripe.js itself failed is no answer either. */
async function answered(ask: () => Promise<PaymentIntentResult>): Promise<Verdict> {
  try {
    return verdictOf(await ask());
  } catch {
    return { kind: "unknown", message: t.unsure };
  }
}

/** How the intent of this secret stands. Never rejects. */
export function look(stripe: Stripe, secret: string): Promise<Verdict> {
  return answered(() => stripe.retrievePaymentIntent(secret));
}

/** One press of Pay. */
export interface Attempt {
  secret: string;
  card: StripeCardElement;
  /** Whose card it is said to be. */
  payer: { name: string; email: string };
  /** An earlier attempt may have gone through. */
  lookFirst: boolean;
}

/** Pays, unless that is done already; 3-D Secure included. Never rejects. */
export async function attempt(stripe: Stripe, { secret, card, payer, lookFirst }: Attempt): Promise<Verdict> {
  if (lookFirst) {
    const found = await look(stripe, secret);
    if (found.kind !== "open") return found;
  }
  const method = { payment_method: { card, billing_details: payer } };
  const verdict = await answered(() => stripe.confirmCardPayment(secret, method));
  if (verdict.kind !== "unknown") return verdict;
  // The answer may be all that was lost. An intent still open proves nothing: the attempt may be on its way.
  const found = await look(stripe, secret);
  return found.kind === "open" ? verdict : found;
}
