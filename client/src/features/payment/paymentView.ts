import type { Booking } from "@/api/types";
import * as t from "@/texts/payment";
import type { PaymentState } from "./paymentReducer";

/** What the screen shows beside the order's summary. */
export type PaymentView =
  | { kind: "form" }
  | { kind: "notPayable"; message: string; canRetry: boolean }
  | { kind: "processing" }
  | { kind: "recording"; transactionId: string }
  | { kind: "unrecorded"; transactionId: string; message: string }
  /** The id is missing until the event of a payment in another tab arrives. */
  | { kind: "paid"; transactionId?: string }
  | { kind: "refunded"; message: string }
  | { kind: "ended"; reason: "expired" | "cancelled" | "closed" };

/**
 * Derives the view from the order (live, so it includes changes by another tab, the webhook or the end of the hold) and
 * the payment of this tab. A paid or refunded order decides. Otherwise a running payment is shown to its end, even if the
 * hold expires meanwhile.
 */
export function paymentView({ status, paid, transactionId }: Booking, state: PaymentState): PaymentView {
  if (status === "refunded") {
    return { kind: "refunded", message: state.phase === "refunded" ? state.message : t.refundedLead };
  }
  if (paid || status === "paid") {
    return { kind: "paid", transactionId: transactionId ?? transactionIdOf(state) };
  }
  switch (state.phase) {
    case "succeeded":
      return { kind: "paid", transactionId: state.transactionId };
    case "refunded":
      return { kind: "refunded", message: state.message };
    case "recording":
      return { kind: "recording", transactionId: state.transactionId };
    case "unrecorded":
      return { kind: "unrecorded", transactionId: state.transactionId, message: state.message };
    case "processing":
      return { kind: "processing" };
    case "submitting":
      return { kind: "form" };
  }
  if (status === "expired" || status === "cancelled") return { kind: "ended", reason: status };
  if (state.phase === "closed") return { kind: "ended", reason: "closed" };
  if (state.phase !== "notPayable") return { kind: "form" };
  return { kind: "notPayable", message: state.message, canRetry: state.canRetry };
}

function transactionIdOf(state: PaymentState): string | undefined {
  return "transactionId" in state ? state.transactionId : undefined;
}
