import { expect, it } from "vitest";
import { anIntent, aStripeError } from "@/testing/stripe";
import { notCompleted, resultUnknown } from "@/texts/payment";
import { toIntentResult } from "./intentResult";

it.each([
  ["succeeded", { kind: "succeeded", transactionId: "pi_1" }],
  ["processing", { kind: "processing" }],
  ["canceled", { kind: "cancelled" }],
  ["requires_payment_method", { kind: "open" }],
  ["requires_action", { kind: "open" }],
])("an intent with status %s is converted", (status, result) => {
  expect(toIntentResult(anIntent(status))).toEqual(result);
});

it("an open intent contains the error of the last attempt", () => {
  expect(toIntentResult(anIntent("requires_payment_method", "Declined"))).toEqual({
    kind: "open",
    message: "Declined",
  });
});

it("a declined card has the provider's message", () => {
  const declined = aStripeError({ code: "card_declined", message: "Declined." }, "requires_payment_method");
  expect(toIntentResult(declined)).toEqual({ kind: "declined", message: "Declined." });
  expect(toIntentResult(aStripeError({}))).toEqual({ kind: "declined", message: notCompleted });
});

it.each([
  ["succeeded", "succeeded"],
  ["processing", "processing"],
  ["canceled", "cancelled"],
])("an error with an intent that is %s has the result of the intent", (status, kind) => {
  const error = aStripeError(
    { type: "invalid_request_error", code: "payment_intent_unexpected_state" },
    status,
  );
  expect(toIntentResult(error)).toMatchObject({ kind });
});

it("an error without a response has an unknown result", () => {
  for (const type of ["api_connection_error", "api_error", "rate_limit_error"] as const) {
    expect(toIntentResult(aStripeError({ type, message: "Failed" }))).toEqual({
      kind: "unknown",
      message: resultUnknown,
    });
  }
  const changed = aStripeError({ type: "invalid_request_error", code: "payment_intent_unexpected_state" });
  expect(toIntentResult(changed)).toMatchObject({ kind: "unknown" });
});
