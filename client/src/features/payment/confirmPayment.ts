import type { PaymentIntentResult, Stripe, StripeCardElement } from "@stripe/stripe-js";
import * as t from "@/texts/payment";
import { type IntentResult, toIntentResult } from "./intentResult";

/** Calls Stripe.js; a rejected promise is an unknown result. */
async function callStripe(call: () => Promise<PaymentIntentResult>): Promise<IntentResult> {
  try {
    return toIntentResult(await call());
  } catch {
    return { kind: "unknown", message: t.resultUnknown };
  }
}

/** Reads the state of the intent. Never rejects. */
export function retrieveIntent(stripe: Stripe, secret: string): Promise<IntentResult> {
  return callStripe(() => stripe.retrievePaymentIntent(secret));
}

/** One attempt to pay. */
interface PaymentAttempt {
  secret: string;
  card: StripeCardElement;
  /** The billing details. */
  payer: { name: string; email: string };
  /** An earlier attempt may have succeeded: the intent is checked before paying again. */
  checkFirst: boolean;
}

/** Confirms the payment, with 3-D Secure, unless it has been paid already. Never rejects. */
export async function confirmPayment(
  stripe: Stripe,
  { secret, card, payer, checkFirst }: PaymentAttempt,
): Promise<IntentResult> {
  if (checkFirst) {
    const current = await retrieveIntent(stripe, secret);
    if (current.kind !== "open") return current;
  }
  const method = { payment_method: { card, billing_details: payer } };
  const result = await callStripe(() => stripe.confirmCardPayment(secret, method));
  if (result.kind !== "unknown") return result;
  // Possibly only the response was lost. If the intent is still open, the attempt may yet be processed.
  const current = await retrieveIntent(stripe, secret);
  return current.kind === "open" ? result : current;
}
