import * as t from "@/texts/payment";
import type { IntentResult } from "./intentResult";

/** The state of a payment on this screen: the spec's idle, submitting and succeeded, and the states between them. */
export type PaymentState =
  /** The secret is being fetched, then the status of its intent. */
  | { phase: "preparing"; secret: string | null }
  /** The server returned no secret; the message is the reason. */
  | { phase: "notPayable"; message: string; canRetry: boolean }
  /** Pay is enabled. `checkFirst`: an earlier attempt may have succeeded, so the intent is checked before the next one. */
  | { phase: "idle"; secret: string; checkFirst: boolean; error: string | null }
  | { phase: "submitting"; secret: string }
  /** The provider is processing the payment. */
  | { phase: "processing"; secret: string }
  /** Charged; the payment is being recorded at the server. */
  | { phase: "recording"; secret: string; transactionId: string }
  /** Charged, but the server rejected the record; the message is the reason. */
  | { phase: "unrecorded"; secret: string; transactionId: string; message: string }
  | { phase: "succeeded"; transactionId: string }
  /** Charged and refunded; the message is the server's. */
  | { phase: "refunded"; message: string }
  /** The intent was cancelled: the order has ended, or it has a new intent. */
  | { phase: "closed" };

/** The actions of the reducer. */
export type PaymentEvent =
  | { type: "secretReceived"; secret: string }
  | { type: "secretFailed"; message: string; canRetry: boolean }
  | { type: "payPressed" }
  | { type: "resultReceived"; result: IntentResult }
  | { type: "recorded" }
  /** The server does not see the payment yet. */
  | { type: "notPaidYet" }
  | { type: "recordRejected"; message: string }
  | { type: "refunded"; message: string }
  /** The order costs more or less now, so the server has cancelled the intent. */
  | { type: "totalChanged" }
  /** The user pressed Try again. */
  | { type: "retried" };

/** The state of a new screen. */
export const initialState: PaymentState = { phase: "preparing", secret: null };

/** The phases that wait for a result of the provider. */
type AwaitingProvider = Extract<PaymentState, { phase: "preparing" | "submitting" | "processing" }>;

function applyResult(state: AwaitingProvider, secret: string, result: IntentResult): PaymentState {
  const idle = (error: string | null, checkFirst = false): PaymentState => ({
    phase: "idle",
    secret,
    checkFirst,
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
      // While processing, the status is polled; before the first attempt there is no error to show.
      if (state.phase === "processing") return state;
      return idle(state.phase === "preparing" ? null : result.message, true);
  }
}

/** Whether a payment can start anew: none is being made. */
export const canRestart = ({ phase }: PaymentState) =>
  phase === "preparing" || phase === "idle" || phase === "notPayable" || phase === "closed";

/** Returns the next state. An event that does not apply to the state (late, or repeated) changes nothing. */
export function paymentReducer(state: PaymentState, event: PaymentEvent): PaymentState {
  switch (event.type) {
    case "secretReceived":
      return state.phase === "preparing" ? { ...state, secret: event.secret } : state;
    case "secretFailed":
      if (state.phase !== "preparing") return state;
      return { phase: "notPayable", message: event.message, canRetry: event.canRetry };
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
    case "totalChanged":
      return canRestart(state) ? initialState : state;
    case "retried":
      if (state.phase === "notPayable" || state.phase === "closed") return initialState;
      if (state.phase !== "unrecorded") return state;
      return { phase: "recording", secret: state.secret, transactionId: state.transactionId };
  }
}
