import type { PaymentIntentResult, StripeError } from "@stripe/stripe-js";
import * as t from "@/texts/payment";

/** The state of an intent at the card provider, reduced to what the screen needs. */
export type IntentResult =
  | { kind: "succeeded"; transactionId: string }
  /** Neither charged nor declined yet. */
  | { kind: "processing" }
  /** It can be paid. The message is the error of the last attempt. */
  | { kind: "open"; message?: string }
  /** It can no longer be paid. */
  | { kind: "cancelled" }
  /** This attempt failed; another one may be made. */
  | { kind: "declined"; message: string }
  /** There was no response: the card may have been charged. */
  | { kind: "unknown"; message: string };

/** The fields of Stripe's intent that are read. */
interface Intent {
  id: string;
  status: string;
  last_payment_error?: { message?: string } | null;
}

function intentResult({ id, status, last_payment_error }: Intent): IntentResult {
  if (status === "succeeded") return { kind: "succeeded", transactionId: id };
  if (status === "processing") return { kind: "processing" };
  if (status === "canceled") return { kind: "cancelled" };
  return { kind: "open", message: last_payment_error?.message };
}

/** Errors of the provider or of the network, after which the result is unknown. */
const UNKNOWN_RESULT_ERRORS = new Set(["api_connection_error", "api_error", "rate_limit_error"]);

function errorResult({ type, code, message, payment_intent }: StripeError): IntentResult {
  const intent = payment_intent && intentResult(payment_intent);
  if (intent && intent.kind !== "open") return intent;
  // Another tab has changed the intent; its status has to be fetched.
  const hasChanged = code === "payment_intent_unexpected_state" && !intent;
  if (hasChanged || UNKNOWN_RESULT_ERRORS.has(type)) return { kind: "unknown", message: t.resultUnknown };
  return { kind: "declined", message: message || t.notCompleted };
}

/** Converts a result of Stripe.js. */
export function toIntentResult(result: PaymentIntentResult): IntentResult {
  return result.error ? errorResult(result.error) : intentResult(result.paymentIntent);
}
