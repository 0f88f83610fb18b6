import { expect, it } from "vitest";
import { aBooking } from "@/testing/factories";
import { refundedLead } from "@/texts/payment";
import type { PaymentState } from "./paymentReducer";
import { paymentViewOf } from "./paymentView";

const secret = "pi_1_secret_2";
const held = aBooking();
const idle: PaymentState = { phase: "idle", secret, unsure: false, error: null };
const submitting: PaymentState = { phase: "submitting", secret };
const recording: PaymentState = { phase: "recording", secret, transactionId: "pi_1" };

it("shows the form while the order is held", () => {
  for (const state of [{ phase: "preparing", secret: null } as const, idle, submitting]) {
    expect(paymentViewOf(held, state)).toEqual({ is: "form" });
  }
});

it.each(["expired", "cancelled"] as const)(
  "says that an order is %s, but not over a payment under way",
  (status) => {
    const over = { ...held, status };
    expect(paymentViewOf(over, idle)).toEqual({ is: "ended", why: status });
    expect(paymentViewOf(over, { phase: "unready", message: "409", canRetry: true })).toEqual({
      is: "ended",
      why: status,
    });
    expect(paymentViewOf(over, { phase: "closed" })).toEqual({ is: "ended", why: status });
    expect(paymentViewOf(over, submitting)).toEqual({ is: "form" });
    expect(paymentViewOf(over, recording)).toMatchObject({ is: "recording" });
  },
);

it("believes the market that an order is paid, whatever this window was doing", () => {
  const paid = { ...held, paid: true, status: "paid" as const, transactionId: "pi_9" };
  for (const state of [idle, submitting, recording]) {
    expect(paymentViewOf(paid, state)).toEqual({ is: "paid", transactionId: "pi_9" });
  }
  expect(paymentViewOf({ ...paid, transactionId: undefined }, recording)).toEqual({
    is: "paid",
    transactionId: "pi_1",
  });
});

it("says why a payment was refunded in the server's words, where this window was told", () => {
  const refunded = { ...held, paid: true, status: "refunded" as const };
  expect(paymentViewOf(refunded, idle)).toEqual({ is: "refunded", message: refundedLead });
  const told: PaymentState = { phase: "refunded", message: "No longer available" };
  expect(paymentViewOf(refunded, told)).toEqual({ is: "refunded", message: "No longer available" });
  expect(paymentViewOf(held, told)).toEqual({ is: "refunded", message: "No longer available" });
});

it("shows success as soon as it is recorded, before the order is told", () => {
  expect(paymentViewOf(held, { phase: "succeeded", transactionId: "pi_1" })).toEqual({
    is: "paid",
    transactionId: "pi_1",
  });
});

it("has something to say while the server has not yet told how a cancelled intent's order ended", () => {
  expect(paymentViewOf(held, { phase: "closed" })).toEqual({ is: "ended", why: "closed" });
});
