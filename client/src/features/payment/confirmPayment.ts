import type { PaymentIntentResult, Stripe, StripeCardElement } from "@stripe/stripe-js";
import * as t from "@/texts/payment";
import { type IntentResult, intentResultOf } from "./intentResult";

/** Runs a call of Stripe.js; a rejected call counts as an unknown result. */
async function resultOfCall(ask: () => Promise<PaymentIntentResult>): Promise<IntentResult> {
  try {
    return intentResultOf(await ask());
  } catch {
    return { kind: "unknown", message: t.unsure };
  }
}

/** Reads the state of the intent. Never rejects. */
export function retrieveIntent(stripe: Stripe, secret: string): Promise<IntentResult> {
  return resultOfCall(() => stripe.retrievePaymentIntent(secret));
}

/** One press of Pay. */
export interface PaymentAttempt {
  secret: string;
  card: StripeCardElement;
  /** Whose card it is said to be. */
  payer: { name: string; email: string };
  /** An earlier attempt may have succeeded: check before paying again. */
  checkFirst: boolean;
}

/** Confirms the payment, with 3-D Secure, unless it has been paid already. Never rejects. */
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
