import { describe, expect, it } from "vitest";
import { notCompleted } from "@/texts/payment";
import { atFirst, next, type PaymentEvent, type PaymentState } from "./machine";
import type { Verdict } from "./verdict";

const secret = "pi_1_secret_2";
const idle: PaymentState = { phase: "idle", secret, unsure: false, error: null };
const verdict = (v: Verdict): PaymentEvent => ({ type: "verdictCame", verdict: v });
const succeeded = verdict({ kind: "succeeded", transactionId: "pi_1" });
const play = (from: PaymentState, ...events: PaymentEvent[]) => events.reduce(next, from);

describe("a payment", () => {
  it("goes the spec's way: idle, submitting, succeeded", () => {
    const ready = play(atFirst, { type: "secretCame", secret }, verdict({ kind: "open" }));
    expect(ready).toEqual(idle);
    const submitting = next(ready, { type: "payPressed" });
    expect(submitting).toEqual({ phase: "submitting", secret });
    const recording = next(submitting, succeeded);
    expect(recording).toEqual({ phase: "recording", secret, transactionId: "pi_1" });
    expect(next(recording, { type: "recorded" })).toEqual({ phase: "succeeded", transactionId: "pi_1" });
  });

  it("is idle again after a decline, with the words, and forgets them at the next press", () => {
    const declined = play(
      idle,
      { type: "payPressed" },
      verdict({ kind: "declined", message: "Your card was declined." }),
    );
    expect(declined).toEqual({ ...idle, error: "Your card was declined." });
    expect(next(declined, { type: "payPressed" }).phase).toBe("submitting");
  });

  it("looks first after an attempt without an answer", () => {
    const lost = play(idle, { type: "payPressed" }, verdict({ kind: "unknown", message: "No line" }));
    expect(lost).toEqual({ ...idle, unsure: true, error: "No line" });
  });

  it("looks first, too, when it could not be seen how the intent stands on opening, and shows no error for that", () => {
    const unseen = play(
      atFirst,
      { type: "secretCame", secret },
      verdict({ kind: "unknown", message: "No line" }),
    );
    expect(unseen).toEqual({ ...idle, unsure: true });
  });

  it("does not show, on opening, why an attempt of an earlier visit was refused", () => {
    const opened = play(
      atFirst,
      { type: "secretCame", secret },
      verdict({ kind: "open", message: "Declined" }),
    );
    expect(opened).toEqual(idle);
  });

  it("says so when an attempt ends with the intent still open", () => {
    expect(play(idle, { type: "payPressed" }, verdict({ kind: "open" }))).toEqual({
      ...idle,
      error: notCompleted,
    });
  });

  it("records at once what an earlier visit has paid", () => {
    expect(play(atFirst, { type: "secretCame", secret }, succeeded).phase).toBe("recording");
  });

  it("waits while the provider processes, and takes either end", () => {
    const processing = play(idle, { type: "payPressed" }, verdict({ kind: "processing" }));
    expect(processing).toEqual({ phase: "processing", secret });
    expect(next(processing, verdict({ kind: "unknown", message: "No line" }))).toBe(processing);
    expect(next(processing, succeeded).phase).toBe("recording");
    expect(next(processing, verdict({ kind: "open", message: "Refused" }))).toEqual({
      ...idle,
      error: "Refused",
    });
  });

  it("waits, too, when the server does not see the money yet", () => {
    const recording = play(idle, { type: "payPressed" }, succeeded);
    expect(next(recording, { type: "notYetPaid" })).toEqual({ phase: "processing", secret });
  });

  it("is over with a cancelled intent, and with a refund", () => {
    expect(play(idle, { type: "payPressed" }, verdict({ kind: "cancelled" }))).toEqual({ phase: "closed" });
    const recording = play(idle, { type: "payPressed" }, succeeded);
    const refunded = { type: "refunded", message: "Paid back" } as const;
    expect(next(recording, refunded)).toEqual({ phase: "refunded", message: "Paid back" });
  });

  it("tries again what has failed", () => {
    const unready = next(atFirst, { type: "secretFailed", message: "Away", canRetry: true });
    expect(unready).toEqual({ phase: "unready", message: "Away", canRetry: true });
    expect(next(unready, { type: "retried" })).toEqual(atFirst);
    expect(next({ phase: "closed" }, { type: "retried" })).toEqual(atFirst);
    const refused = play(idle, { type: "payPressed" }, succeeded, { type: "recordRefused", message: "No" });
    expect(refused).toMatchObject({ phase: "unrecorded", message: "No", transactionId: "pi_1" });
    expect(next(refused, { type: "retried" })).toMatchObject({ phase: "recording", transactionId: "pi_1" });
  });

  it("ignores what comes late or twice", () => {
    const submitting = next(idle, { type: "payPressed" });
    expect(next(submitting, { type: "payPressed" })).toBe(submitting);
    expect(next(idle, succeeded)).toBe(idle);
    const done: PaymentState = { phase: "succeeded", transactionId: "pi_1" };
    const events: PaymentEvent[] = [
      { type: "secretCame", secret },
      { type: "secretFailed", message: "", canRetry: true },
      { type: "payPressed" },
      succeeded,
      { type: "recorded" },
      { type: "notYetPaid" },
      { type: "recordRefused", message: "" },
      { type: "refunded", message: "" },
      { type: "retried" },
    ];
    for (const event of events) expect(next(done, event)).toBe(done);
  });
});
