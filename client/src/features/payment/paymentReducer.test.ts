import { describe, expect, it } from "vitest";
import { notCompleted } from "@/texts/payment";
import type { IntentResult } from "./intentResult";
import { initialState, type PaymentEvent, type PaymentState, paymentReducer } from "./paymentReducer";

const secret = "pi_1_secret_2";
const idle: PaymentState = { phase: "idle", secret, unsure: false, error: null };
const result = (v: IntentResult): PaymentEvent => ({ type: "resultReceived", result: v });
const succeeded = result({ kind: "succeeded", transactionId: "pi_1" });
const play = (from: PaymentState, ...events: PaymentEvent[]) => events.reduce(paymentReducer, from);

describe("a payment", () => {
  it("goes the spec's way: idle, submitting, succeeded", () => {
    const ready = play(initialState, { type: "secretReceived", secret }, result({ kind: "open" }));
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

  it("is idle again after a decline, with the words, and forgets them at the next press", () => {
    const declined = play(
      idle,
      { type: "payPressed" },
      result({ kind: "declined", message: "Your card was declined." }),
    );
    expect(declined).toEqual({ ...idle, error: "Your card was declined." });
    expect(paymentReducer(declined, { type: "payPressed" }).phase).toBe("submitting");
  });

  it("looks first after an attempt without an answer", () => {
    const lost = play(idle, { type: "payPressed" }, result({ kind: "unknown", message: "No line" }));
    expect(lost).toEqual({ ...idle, unsure: true, error: "No line" });
  });

  it("also checks first if the status of the intent could not be read on opening, and shows no error for that", () => {
    const unseen = play(
      initialState,
      { type: "secretReceived", secret },
      result({ kind: "unknown", message: "No line" }),
    );
    expect(unseen).toEqual({ ...idle, unsure: true });
  });

  it("does not show, on opening, why an attempt of an earlier visit was refused", () => {
    const opened = play(
      initialState,
      { type: "secretReceived", secret },
      result({ kind: "open", message: "Declined" }),
    );
    expect(opened).toEqual(idle);
  });

  it("says so when an attempt ends with the intent still open", () => {
    expect(play(idle, { type: "payPressed" }, result({ kind: "open" }))).toEqual({
      ...idle,
      error: notCompleted,
    });
  });

  it("records at once what an earlier visit has paid", () => {
    expect(play(initialState, { type: "secretReceived", secret }, succeeded).phase).toBe("recording");
  });

  it("waits while the provider processes, and takes either end", () => {
    const processing = play(idle, { type: "payPressed" }, result({ kind: "processing" }));
    expect(processing).toEqual({ phase: "processing", secret });
    expect(paymentReducer(processing, result({ kind: "unknown", message: "No line" }))).toBe(processing);
    expect(paymentReducer(processing, succeeded).phase).toBe("recording");
    expect(paymentReducer(processing, result({ kind: "open", message: "Refused" }))).toEqual({
      ...idle,
      error: "Refused",
    });
  });

  it("waits, too, when the server does not see the money yet", () => {
    const recording = play(idle, { type: "payPressed" }, succeeded);
    expect(paymentReducer(recording, { type: "notPaidYet" })).toEqual({ phase: "processing", secret });
  });

  it("is over with a cancelled intent, and with a refund", () => {
    expect(play(idle, { type: "payPressed" }, result({ kind: "cancelled" }))).toEqual({ phase: "closed" });
    const recording = play(idle, { type: "payPressed" }, succeeded);
    const refunded = { type: "refunded", message: "Paid back" } as const;
    expect(paymentReducer(recording, refunded)).toEqual({ phase: "refunded", message: "Paid back" });
  });

  it("tries again what has failed", () => {
    const unready = paymentReducer(initialState, { type: "secretFailed", message: "Away", canRetry: true });
    expect(unready).toEqual({ phase: "unready", message: "Away", canRetry: true });
    expect(paymentReducer(unready, { type: "retried" })).toEqual(initialState);
    expect(paymentReducer({ phase: "closed" }, { type: "retried" })).toEqual(initialState);
    const refused = play(idle, { type: "payPressed" }, succeeded, { type: "recordRejected", message: "No" });
    expect(refused).toMatchObject({ phase: "unrecorded", message: "No", transactionId: "pi_1" });
    expect(paymentReducer(refused, { type: "retried" })).toMatchObject({
      phase: "recording",
      transactionId: "pi_1",
    });
  });

  it("ignores what comes late or twice", () => {
    const submitting = paymentReducer(idle, { type: "payPressed" });
    expect(paymentReducer(submitting, { type: "payPressed" })).toBe(submitting);
    expect(paymentReducer(idle, succeeded)).toBe(idle);
    const done: PaymentState = { phase: "succeeded", transactionId: "pi_1" };
    const events: PaymentEvent[] = [
      { type: "secretReceived", secret },
      { type: "secretFailed", message: "", canRetry: true },
      { type: "payPressed" },
      succeeded,
      { type: "recorded" },
      { type: "notPaidYet" },
      { type: "recordRejected", message: "" },
      { type: "refunded", message: "" },
      { type: "retried" },
    ];
    for (const event of events) expect(paymentReducer(done, event)).toBe(done);
  });
});
