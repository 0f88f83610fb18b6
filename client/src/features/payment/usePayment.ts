import type { Stripe, StripeCardElement } from "@stripe/stripe-js";
import { type Dispatch, useEffect, useReducer, useRef } from "react";
import { toApiError } from "@/api/errors";
import type { Booking } from "@/api/types";
import { backoff } from "@/lib/backoff";
import { confirmPayment, retrieveIntent } from "./confirmPayment";
import { isTemporary, useCreatePaymentIntentMutation, useRecordPaymentMutation } from "./endpoints";
import { hasDelivery } from "./hasDelivery";
import {
  canRestart,
  initialState,
  type PaymentEvent,
  type PaymentState,
  paymentReducer,
} from "./paymentReducer";
import { runEffect } from "./runEffect";
import { sleepUntilOnline } from "./sleepUntilOnline";

/** The options of usePayment. */
interface PaymentOptions {
  booking: Booking;
  /** Null until the card provider's code is loaded. */
  stripe: Stripe | null;
  /** Refetches the booking. */
  refetch: () => void;
}

/** The state of a payment, and its actions. */
export interface Payment {
  state: PaymentState;
  /** Pays with the card of this element; does nothing without an element, or while Pay is disabled. */
  pay: (card: StripeCardElement | null) => void;
  /** Repeats what has failed. */
  retry: () => void;
}

/** Pays for a booking: runs the side effects of each state of paymentReducer. */
export function usePayment({ booking, stripe, refetch }: PaymentOptions): Payment {
  const [state, dispatch] = useReducer(paymentReducer, initialState);
  const isPayable = booking.status === "held" && !booking.paid && hasDelivery(booking);
  // The server has decided whether it keeps the payment or returns it.
  const isDecided = booking.paid || booking.status === "refunded";
  const isPaying = useRef(false);

  useSecret(state, dispatch, booking, isPayable);
  useIntent(state, dispatch, stripe, isPayable, isDecided);
  useRecord(state, dispatch, booking, isDecided);
  useRestart(state, dispatch, booking.total);
  useEffect(() => {
    if (state.phase === "closed") refetch();
  }, [state.phase, refetch]);

  const pay = async (card: StripeCardElement | null) => {
    // A second click may come before the button is rendered as disabled.
    if (!card || !stripe || state.phase !== "idle" || isPaying.current) return;
    isPaying.current = true;
    dispatch({ type: "payPressed" });
    const payer = { name: booking.userName, email: booking.email };
    const result = await confirmPayment(stripe, {
      secret: state.secret,
      card,
      payer,
      checkFirst: state.checkFirst,
    });
    isPaying.current = false;
    dispatch({ type: "resultReceived", result });
  };
  return { state, pay: (card) => void pay(card), retry: () => dispatch({ type: "retried" }) };
}

/** Fetches the secret, in the first part of preparing. */
function useSecret(
  state: PaymentState,
  dispatch: Dispatch<PaymentEvent>,
  { _id, price, total }: Booking,
  isPayable: boolean,
) {
  const [create] = useCreatePaymentIntentMutation();
  const isNeeded = isPayable && state.phase === "preparing" && state.secret === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the secret depends on the total
  useEffect(() => {
    if (!isNeeded) return;
    return runEffect(async (signal) => {
      const { data, error } = await create({ price, bookingId: _id });
      if (signal.aborted) return;
      if (data) return dispatch({ type: "secretReceived", secret: data.clientSecret });
      const { status, message } = toApiError(error);
      // A user who may not pay for this booking may not do so later either.
      dispatch({ type: "secretFailed", message, canRetry: status !== 403 });
    });
  }, [isNeeded, create, dispatch, price, total, _id]);
}

/** Fetches the status of the intent from the card provider, in the second part of preparing and in processing. */
function useIntent(
  state: PaymentState,
  dispatch: Dispatch<PaymentEvent>,
  stripe: Stripe | null,
  isPayable: boolean,
  isDecided: boolean,
) {
  const attempts = useRef(0);
  const isPreparing = state.phase === "preparing" && isPayable;
  const isProcessing = state.phase === "processing" && !isDecided;
  const secret = isPreparing || isProcessing ? state.secret : null;
  useEffect(() => {
    if (!secret || !stripe) return;
    return runEffect(async (signal) => {
      // The count is kept when the phase changes: the server and the provider may disagree for a while.
      const wait = () => sleepUntilOnline(backoff(attempts.current++ + 2, Math.random()), signal);
      while (!isProcessing || (await wait())) {
        const result = await retrieveIntent(stripe, secret);
        if (signal.aborted) return;
        dispatch({ type: "resultReceived", result });
        if (!isProcessing || !["processing", "unknown"].includes(result.kind)) return;
      }
    });
  }, [secret, stripe, isProcessing, dispatch]);
}

/** Records the payment at the server, and repeats that until it succeeds. The webhook does the same, but maybe later. */
function useRecord(
  state: PaymentState,
  dispatch: Dispatch<PaymentEvent>,
  { _id, price, email }: Booking,
  isDecided: boolean,
) {
  const [record] = useRecordPaymentMutation();
  const transactionId = state.phase === "recording" && !isDecided ? state.transactionId : null;
  useEffect(() => {
    if (!transactionId) return;
    return runEffect(async (signal) => {
      let event: PaymentEvent | null = null;
      for (let attempt = 0; !event; attempt++) {
        const { error } = await record({ price, transactionId, email, bookingId: _id });
        if (signal.aborted) return;
        event = error ? eventOfError(error) : { type: "recorded" };
        if (!event && !(await sleepUntilOnline(backoff(attempt, Math.random()), signal))) return;
      }
      dispatch(event);
    });
  }, [transactionId, record, dispatch, price, email, _id]);
}

/** Starts anew with another secret when the total has changed, but not while a payment is being made. */
function useRestart(state: PaymentState, dispatch: Dispatch<PaymentEvent>, total: number) {
  const known = useRef(total);
  const isFree = canRestart(state);
  useEffect(() => {
    if (!isFree || known.current === total) return;
    known.current = total;
    dispatch({ type: "totalChanged" });
  }, [isFree, total, dispatch]);
}

/** The event for an error of POST /payments; null if the call is to be repeated. */
function eventOfError(error: unknown): PaymentEvent | null {
  const apiError = toApiError(error);
  const { status, code, message } = apiError;
  if (isTemporary(apiError)) return null;
  if (status === 402) return { type: "notPaidYet" };
  return { type: code === "refunded" ? "refunded" : "recordRejected", message };
}
