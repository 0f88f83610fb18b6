import type { Booking } from "@/api/types";
import * as t from "@/texts/payment";
import type { PaymentState } from "./paymentReducer";

/** What the screen shows beside the order. */
export type PaymentView =
  | { is: "form" }
  | { is: "unready"; message: string; canRetry: boolean }
  | { is: "processing" }
  | { is: "recording"; transactionId: string }
  | { is: "unrecorded"; transactionId: string; message: string }
  /** The id is missing only for the moment in which another window's payment is told. */
  | { is: "paid"; transactionId?: string }
  | { is: "refunded"; message: string }
  | { is: "ended"; why: "expired" | "cancelled" | "closed" };

/**
 * Joins what the market knows of the order (live, and so also what another
 * window, the webhook or the clock did) with the payment of this window. Once
 * the order is paid or refunded that is the truth; before, a payment under way
 * is shown to its end even when the hold runs out.
 */
export function paymentViewOf({ status, paid, transactionId }: Booking, state: PaymentState): PaymentView {
  if (status === "refunded") {
    return { is: "refunded", message: state.phase === "refunded" ? state.message : t.refundedLead };
  }
  if (paid || status === "paid") {
    return { is: "paid", transactionId: transactionId ?? idOf(state) };
  }
  switch (state.phase) {
    case "succeeded":
      return { is: "paid", transactionId: state.transactionId };
    case "refunded":
      return { is: "refunded", message: state.message };
    case "recording":
      return { is: "recording", transactionId: state.transactionId };
    case "unrecorded":
      return { is: "unrecorded", transactionId: state.transactionId, message: state.message };
    case "processing":
      return { is: "processing" };
    case "submitting":
      return { is: "form" };
  }
  if (status === "expired" || status === "cancelled") return { is: "ended", why: status };
  if (state.phase === "closed") return { is: "ended", why: "closed" };
  if (state.phase !== "unready") return { is: "form" };
  return { is: "unready", message: state.message, canRetry: state.canRetry };
}

function idOf(state: PaymentState): string | undefined {
  return "transactionId" in state ? state.transactionId : undefined;
}
