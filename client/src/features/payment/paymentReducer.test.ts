import { describe, expect, it } from "vitest";
import { notCompleted } from "@/texts/payment";
import type { IntentResult } from "./intentResult";
import { initialState, type PaymentEvent, type PaymentState, paymentReducer } from "./paymentReducer";

const secret = "pi_1_secret_2";
const idle: PaymentState = { phase: "idle", secret, checkFirst: false, error: null };
const resultEvent = (result: IntentResult): PaymentEvent => ({ type: "resultReceived", result });
const succeeded = resultEvent({ kind: "succeeded", transactionId: "pi_1" });
const reduce = (state: PaymentState, ...events: PaymentEvent[]) => events.reduce(paymentReducer, state);

describe("a payment", () => {
  it("has the spec's phases: idle, submitting, succeeded", () => {
    const ready = reduce(initialState, { type: "secretReceived", secret }, resultEvent({ kind: "open" }));
    expect(ready).toEqual(idle);
    const submitting = paymentReducer(ready, { type: "payPressed" });
    expect(submitting).toEqual({ phase: "submitting", secret });
    const recording = paymentReducer(submitting, succeeded);
    expect(recording).toEqual({ phase: "recording", secret, transactionId: "pi_1" });
    expect(paymentReducer(recording, { type: "recorded" })).toEqual({
      phase: "succeeded",
      transactionId: "pi_1",
    });
  });

  it("is idle again with a message after a decline, and clears the message at the next attempt", () => {
    const declined = reduce(
      idle,
      { type: "payPressed" },
      resultEvent({ kind: "declined", message: "Your card was declined." }),
    );
    expect(declined).toEqual({ ...idle, error: "Your card was declined." });
    expect(paymentReducer(declined, { type: "payPressed" }).phase).toBe("submitting");
  });

  it("checks the intent first after an attempt without a response", () => {
    const unknown = reduce(
      idle,
      { type: "payPressed" },
      resultEvent({ kind: "unknown", message: "No connection" }),
    );
    expect(unknown).toEqual({ ...idle, checkFirst: true, error: "No connection" });
  });

  it("checks the intent first, without an error, if its status could not be read when the screen opened", () => {
    const idleUnchecked = reduce(
      initialState,
      { type: "secretReceived", secret },
      resultEvent({ kind: "unknown", message: "No connection" }),
    );
    expect(idleUnchecked).toEqual({ ...idle, checkFirst: true });
  });

  it("shows no error of an earlier visit when the screen opens", () => {
    const opened = reduce(
      initialState,
      { type: "secretReceived", secret },
      resultEvent({ kind: "open", message: "Declined" }),
    );
    expect(opened).toEqual(idle);
  });

  it("shows an error if an attempt ends with the intent still open", () => {
    expect(reduce(idle, { type: "payPressed" }, resultEvent({ kind: "open" }))).toEqual({
      ...idle,
      error: notCompleted,
    });
  });

  it("records a payment of an earlier visit at once", () => {
    expect(reduce(initialState, { type: "secretReceived", secret }, succeeded).phase).toBe("recording");
  });

  it("stays in processing until the provider reports success or failure", () => {
    const processing = reduce(idle, { type: "payPressed" }, resultEvent({ kind: "processing" }));
    expect(processing).toEqual({ phase: "processing", secret });
    expect(paymentReducer(processing, resultEvent({ kind: "unknown", message: "No connection" }))).toBe(
      processing,
    );
    expect(paymentReducer(processing, succeeded).phase).toBe("recording");
    expect(paymentReducer(processing, resultEvent({ kind: "open", message: "Refused" }))).toEqual({
      ...idle,
      error: "Refused",
    });
  });

  it("stays in processing while the server does not see the payment yet", () => {
    const recording = reduce(idle, { type: "payPressed" }, succeeded);
    expect(paymentReducer(recording, { type: "notPaidYet" })).toEqual({ phase: "processing", secret });
  });

  it("ends with a cancelled intent, and with a refund", () => {
    expect(reduce(idle, { type: "payPressed" }, resultEvent({ kind: "cancelled" }))).toEqual({
      phase: "closed",
    });
    const recording = reduce(idle, { type: "payPressed" }, succeeded);
    const refunded = { type: "refunded", message: "Refunded" } as const;
    expect(paymentReducer(recording, refunded)).toEqual({ phase: "refunded", message: "Refunded" });
  });

  it("can be retried after a failure", () => {
    const notPayable = paymentReducer(initialState, {
      type: "secretFailed",
      message: "Unreachable",
      canRetry: true,
    });
    expect(notPayable).toEqual({ phase: "notPayable", message: "Unreachable", canRetry: true });
    expect(paymentReducer(notPayable, { type: "retried" })).toEqual(initialState);
    expect(paymentReducer({ phase: "closed" }, { type: "retried" })).toEqual(initialState);
    const rejected = reduce(idle, { type: "payPressed" }, succeeded, {
      type: "recordRejected",
      message: "No",
    });
    expect(rejected).toMatchObject({ phase: "unrecorded", message: "No", transactionId: "pi_1" });
    expect(paymentReducer(rejected, { type: "retried" })).toMatchObject({
      phase: "recording",
      transactionId: "pi_1",
    });
  });

  it("starts anew when the total has changed, but not while a payment is being made", () => {
    const changed: PaymentEvent = { type: "totalChanged" };
    expect(paymentReducer({ ...idle, error: "Declined" }, changed)).toEqual(initialState);
    expect(paymentReducer({ phase: "preparing", secret }, changed)).toEqual(initialState);
    expect(paymentReducer({ phase: "closed" }, changed)).toEqual(initialState);
    for (const state of [
      { phase: "submitting", secret },
      { phase: "processing", secret },
      { phase: "recording", secret, transactionId: "pi_1" },
    ] as const)
      expect(paymentReducer(state, changed)).toBe(state);
  });

  it("ignores late and repeated events", () => {
    const submitting = paymentReducer(idle, { type: "payPressed" });
    expect(paymentReducer(submitting, { type: "payPressed" })).toBe(submitting);
    expect(paymentReducer(idle, succeeded)).toBe(idle);
    const paid: PaymentState = { phase: "succeeded", transactionId: "pi_1" };
    const events: PaymentEvent[] = [
      { type: "secretReceived", secret },
      { type: "secretFailed", message: "", canRetry: true },
      { type: "payPressed" },
      succeeded,
      { type: "recorded" },
      { type: "notPaidYet" },
      { type: "recordRejected", message: "" },
      { type: "refunded", message: "" },
      { type: "totalChanged" },
      { type: "retried" },
    ];
    for (const event of events) expect(paymentReducer(paid, event)).toBe(paid);
  });
});
