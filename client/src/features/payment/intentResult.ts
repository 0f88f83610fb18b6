import type { PaymentIntentResult, StripeError } from "@stripe/stripe-js";
import * as t from "@/texts/payment";

/** What the card provider says of an intent, as far as the screen acts on it. */
export type IntentResult =
  | { kind: "succeeded"; transactionId: string }
  /** On its way: neither charged nor refused yet. */
  | { kind: "processing" }
  /** It may be paid. With words, the last attempt was refused with them. */
  | { kind: "open"; message?: string }
  /** It can never be paid any more. */
  | { kind: "cancelled" }
  /** This attempt came to nothing; another may be made. */
  | { kind: "declined"; message: string }
  /** No answer: it may have been charged or not. */
  | { kind: "unknown"; message: string };

/** The part of Stripe's intent that is read. */
interface Intent {
  id: string;
  status: string;
  last_payment_error?: { message?: string } | null;
}

function ofIntent({ id, status, last_payment_error }: Intent): IntentResult {
  if (status === "succeeded") return { kind: "succeeded", transactionId: id };
  if (status === "processing") return { kind: "processing" };
  if (status === "canceled") return { kind: "cancelled" };
  return { kind: "open", message: last_payment_error?.message };
}

/** Failures of the provider or of the line to it, and not of the card. */
const UNANSWERED = new Set(["api_connection_error", "api_error", "rate_limit_error"]);

function ofError({ type, code, message, payment_intent }: StripeError): IntentResult {
  const intent = payment_intent && ofIntent(payment_intent);
  if (intent && intent.kind !== "open") return intent;
  // Another tab was faster; the current status has to be fetched.
  const changed = code === "payment_intent_unexpected_state" && !intent;
  if (changed || UNANSWERED.has(type)) return { kind: "unknown", message: t.unsure };
  return { kind: "declined", message: message || t.notCompleted };
}

/** Reads one of Stripe.js' answers. */
export function intentResultOf(answer: PaymentIntentResult): IntentResult {
  return answer.error ? ofError(answer.error) : ofIntent(answer.paymentIntent);
}
