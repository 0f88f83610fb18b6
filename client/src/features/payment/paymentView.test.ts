import { expect, it } from "vitest";
import { aBooking } from "@/testing/factories";
import { refundedLead } from "@/texts/payment";
import type { PaymentState } from "./paymentReducer";
import { paymentView } from "./paymentView";

const secret = "pi_1_secret_2";
const held = aBooking();
const idle: PaymentState = { phase: "idle", secret, checkFirst: false, error: null };
const submitting: PaymentState = { phase: "submitting", secret };
const recording: PaymentState = { phase: "recording", secret, transactionId: "pi_1" };

it("the view is the form while the order is held", () => {
  for (const state of [{ phase: "preparing", secret: null } as const, idle, submitting]) {
    expect(paymentView(held, state)).toEqual({ kind: "form" });
  }
});

it.each(["expired", "cancelled"] as const)(
  "the view shows that an order is %s, but not during a payment",
  (status) => {
    const ended = { ...held, status };
    expect(paymentView(ended, idle)).toEqual({ kind: "ended", reason: status });
    expect(paymentView(ended, { phase: "notPayable", message: "409", canRetry: true })).toEqual({
      kind: "ended",
      reason: status,
    });
    expect(paymentView(ended, { phase: "closed" })).toEqual({ kind: "ended", reason: status });
    expect(paymentView(ended, submitting)).toEqual({ kind: "form" });
    expect(paymentView(ended, recording)).toMatchObject({ kind: "recording" });
  },
);

it("the view is paid if the order is paid, in every state of the payment", () => {
  const paid = { ...held, paid: true, status: "paid" as const, transactionId: "pi_9" };
  for (const state of [idle, submitting, recording]) {
    expect(paymentView(paid, state)).toEqual({ kind: "paid", transactionId: "pi_9" });
  }
  expect(paymentView({ ...paid, transactionId: undefined }, recording)).toEqual({
    kind: "paid",
    transactionId: "pi_1",
  });
});

it("the view has the server's message for a refund, if this tab received it", () => {
  const refunded = { ...held, paid: true, status: "refunded" as const };
  expect(paymentView(refunded, idle)).toEqual({ kind: "refunded", message: refundedLead });
  const state: PaymentState = { phase: "refunded", message: "No longer available" };
  expect(paymentView(refunded, state)).toEqual({ kind: "refunded", message: "No longer available" });
  expect(paymentView(held, state)).toEqual({ kind: "refunded", message: "No longer available" });
});

it("the view is paid as soon as the payment is recorded, before the order changes", () => {
  expect(paymentView(held, { phase: "succeeded", transactionId: "pi_1" })).toEqual({
    kind: "paid",
    transactionId: "pi_1",
  });
});

it("the view is ended while the order of a cancelled intent has not changed yet", () => {
  expect(paymentView(held, { phase: "closed" })).toEqual({ kind: "ended", reason: "closed" });
});
