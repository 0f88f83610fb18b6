import { expect, it } from "vitest";
import { aFailure, anIntent } from "@/testing/stripe";
import { notCompleted, unsure } from "@/texts/payment";
import { intentResultOf } from "./intentResult";

it.each([
  ["succeeded", { kind: "succeeded", transactionId: "pi_1" }],
  ["processing", { kind: "processing" }],
  ["canceled", { kind: "cancelled" }],
  ["requires_payment_method", { kind: "open" }],
  ["requires_action", { kind: "open" }],
])("reads an intent that is %s", (status, result) => {
  expect(intentResultOf(anIntent(status))).toEqual(result);
});

it("keeps why the last attempt was refused", () => {
  expect(intentResultOf(anIntent("requires_payment_method", "Declined"))).toEqual({
    kind: "open",
    message: "Declined",
  });
});

it("shows the provider's words for a card's refusal", () => {
  const refused = aFailure({ code: "card_declined", message: "Declined." }, "requires_payment_method");
  expect(intentResultOf(refused)).toEqual({ kind: "declined", message: "Declined." });
  expect(intentResultOf(aFailure({}))).toEqual({ kind: "declined", message: notCompleted });
});

it.each([
  ["succeeded", "succeeded"],
  ["processing", "processing"],
  ["canceled", "cancelled"],
])("goes by the intent, where a failure brings one that is %s", (status, kind) => {
  const late = aFailure({ type: "invalid_request_error", code: "payment_intent_unexpected_state" }, status);
  expect(intentResultOf(late)).toMatchObject({ kind });
});

it("does not know what came of an attempt without an answer", () => {
  for (const type of ["api_connection_error", "api_error", "rate_limit_error"] as const) {
    expect(intentResultOf(aFailure({ type, message: "Oops" }))).toEqual({ kind: "unknown", message: unsure });
  }
  const changed = aFailure({ type: "invalid_request_error", code: "payment_intent_unexpected_state" });
  expect(intentResultOf(changed)).toMatchObject({ kind: "unknown" });
});
