import * as t from "@/texts/payment";
import type { IntentResult } from "./intentResult";

/** The state of a payment on this screen: the spec's idle, submitting and succeeded, and the states between them. */
export type PaymentState =
  /** The secret is requested, then the status of its intent. */
  | { phase: "preparing"; secret: string | null }
  /** There is no secret, with the reason. */
  | { phase: "unready"; message: string; canRetry: boolean }
  /** Pay may be pressed. `unsure`: an attempt may have gone through, so look before the next. */
  | { phase: "idle"; secret: string; unsure: boolean; error: string | null }
  | { phase: "submitting"; secret: string }
  /** The provider has it in hand. */
  | { phase: "processing"; secret: string }
  /** Charged; the server is being told. */
  | { phase: "recording"; secret: string; transactionId: string }
  /** Charged, and the server would not take it, with the reason. */
  | { phase: "unrecorded"; secret: string; transactionId: string; message: string }
  | { phase: "succeeded"; transactionId: string }
  /** Charged and paid back, in the server's words. */
  | { phase: "refunded"; message: string }
  /** The intent was cancelled: the order is over, and the server will say how; or it has another intent by now. */
  | { phase: "closed" };

/** What may happen to it. */
export type PaymentEvent =
  | { type: "secretReceived"; secret: string }
  | { type: "secretFailed"; message: string; canRetry: boolean }
  | { type: "payPressed" }
  | { type: "resultReceived"; result: IntentResult }
  | { type: "recorded" }
  /** The server finds the intent not yet paid. */
  | { type: "notPaidYet" }
  | { type: "recordRejected"; message: string }
  | { type: "refunded"; message: string }
  /** After a failure, by the button. */
  | { type: "retried" };

/** A screen that has just been opened. */
export const initialState: PaymentState = { phase: "preparing", secret: null };

/** The phases that wait for the provider's word. */
type AwaitingProvider = Extract<PaymentState, { phase: "preparing" | "submitting" | "processing" }>;

function applyResult(state: AwaitingProvider, secret: string, result: IntentResult): PaymentState {
  const idle = (error: string | null, unsure = false): PaymentState => ({
    phase: "idle",
    secret,
    unsure,
    error,
  });
  switch (result.kind) {
    case "succeeded":
      return { phase: "recording", secret, transactionId: result.transactionId };
    case "processing":
      return { phase: "processing", secret };
    case "cancelled":
      return { phase: "closed" };
    case "declined":
      return idle(result.message);
    case "open":
      return idle(state.phase === "preparing" ? null : (result.message ?? t.notCompleted));
    case "unknown":
      // Processing goes on asking by itself; before the first attempt there is nothing to be unsure about yet.
      if (state.phase === "processing") return state;
      return idle(state.phase === "preparing" ? null : result.message, true);
  }
}

/** The next state. An event that has no place in this state (late, or twice) changes nothing. */
export function paymentReducer(state: PaymentState, event: PaymentEvent): PaymentState {
  switch (event.type) {
    case "secretReceived":
      return state.phase === "preparing" ? { ...state, secret: event.secret } : state;
    case "secretFailed":
      if (state.phase !== "preparing") return state;
      return { phase: "unready", message: event.message, canRetry: event.canRetry };
    case "payPressed":
      return state.phase === "idle" ? { phase: "submitting", secret: state.secret } : state;
    case "resultReceived":
      if (state.phase !== "preparing" && state.phase !== "submitting" && state.phase !== "processing") {
        return state;
      }
      return state.secret === null ? state : applyResult(state, state.secret, event.result);
    case "recorded":
      return state.phase === "recording" ? { phase: "succeeded", transactionId: state.transactionId } : state;
    case "notPaidYet":
      return state.phase === "recording" ? { phase: "processing", secret: state.secret } : state;
    case "recordRejected":
      return state.phase === "recording" ? { ...state, phase: "unrecorded", message: event.message } : state;
    case "refunded":
      return state.phase === "recording" ? { phase: "refunded", message: event.message } : state;
    case "retried":
      if (state.phase === "unready" || state.phase === "closed") return initialState;
      if (state.phase !== "unrecorded") return state;
      return { phase: "recording", secret: state.secret, transactionId: state.transactionId };
  }
}
