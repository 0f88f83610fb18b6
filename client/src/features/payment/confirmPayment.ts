import type { PaymentIntentResult, Stripe, StripeCardElement } from "@stripe/stripe-js";
import * as t from "@/texts/payment";
import { type IntentResult, intentResultOf } from "./intentResult";

/** Asks, and reads the answer; that Stripe.js itself failed is no answer either. */
async function resultOfCall(ask: () => Promise<PaymentIntentResult>): Promise<IntentResult> {
  try {
    return intentResultOf(await ask());
  } catch {
    return { kind: "unknown", message: t.unsure };
  }
}

/** How the intent of this secret stands. Never rejects. */
export function retrieveIntent(stripe: Stripe, secret: string): Promise<IntentResult> {
  return resultOfCall(() => stripe.retrievePaymentIntent(secret));
}

/** One press of Pay. */
export interface PaymentAttempt {
  secret: string;
  card: StripeCardElement;
  /** Whose card it is said to be. */
  payer: { name: string; email: string };
  /** An earlier attempt may have gone through. */
  checkFirst: boolean;
}

/** Pays, unless that is done already; 3-D Secure included. Never rejects. */
export async function confirmPayment(
  stripe: Stripe,
  { secret, card, payer, checkFirst }: PaymentAttempt,
): Promise<IntentResult> {
  if (checkFirst) {
    const found = await retrieveIntent(stripe, secret);
    if (found.kind !== "open") return found;
  }
  const method = { payment_method: { card, billing_details: payer } };
  const result = await resultOfCall(() => stripe.confirmCardPayment(secret, method));
  if (result.kind !== "unknown") return result;
  // The answer may be all that was lost. An intent still open proves nothing: the attempt may be on its way.
  const found = await retrieveIntent(stripe, secret);
  return found.kind === "open" ? result : found;
}
