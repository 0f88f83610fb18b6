import type { Stripe, StripeCardElement } from "@stripe/stripe-js";
import { type Dispatch, useEffect, useReducer, useRef } from "react";
import { toApiError } from "@/api/errors";
import type { Booking } from "@/api/types";
import { backoff } from "@/lib/live/backoff";
import { confirmPayment, retrieveIntent } from "./confirmPayment";
import { isPassing, useCreatePaymentIntentMutation, useRecordPaymentMutation } from "./endpoints";
import { initialState, type PaymentEvent, type PaymentState, paymentReducer } from "./paymentReducer";
import { sleep, whileMounted } from "./sleep";

/** What a payment needs. */
interface Needs {
  booking: Booking;
  /** Null until the card provider's code is there. */
  stripe: Stripe | null;
  /** Asks the server for the booking again. */
  refetch: () => void;
}

/** A payment under way. */
export interface Payment {
  state: PaymentState;
  /** Pays with the card of this element; does nothing without one, or while Pay is disabled. */
  pay: (card: StripeCardElement | null) => void;
  /** Tries again what has failed. */
  retry: () => void;
}

/** Pays for a booking: does what each state of machine.ts asks for. */
export function usePayment({ booking, stripe, refetch }: Needs): Payment {
  const [state, dispatch] = useReducer(paymentReducer, initialState);
  const isHeld = booking.status === "held" && !booking.paid;
  const isSettled = booking.paid || booking.status === "refunded";
  const isPaying = useRef(false);

  useSecret(state, dispatch, booking, isHeld);
  useIntent(state, dispatch, stripe, isHeld, isSettled);
  useRecord(state, dispatch, booking, isSettled);
  useEffect(() => {
    if (state.phase === "closed") refetch();
  }, [state.phase, refetch]);

  const pay = async (card: StripeCardElement | null) => {
    // Two clicks may come before the button is rendered disabled.
    if (!card || !stripe || state.phase !== "idle" || isPaying.current) return;
    isPaying.current = true;
    dispatch({ type: "payPressed" });
    const payer = { name: booking.userName, email: booking.email };
    const result = await confirmPayment(stripe, {
      secret: state.secret,
      card,
      payer,
      checkFirst: state.unsure,
    });
    isPaying.current = false;
    dispatch({ type: "resultReceived", result });
  };
  return { state, pay: (card) => void pay(card), retry: () => dispatch({ type: "retried" }) };
}

/** Preparing, first half: gets the secret. */
function useSecret(
  state: PaymentState,
  dispatch: Dispatch<PaymentEvent>,
  { _id, price }: Booking,
  isHeld: boolean,
) {
  const [create] = useCreatePaymentIntentMutation();
  const isNeeded = isHeld && state.phase === "preparing" && state.secret === null;
  useEffect(() => {
    if (!isNeeded) return;
    return whileMounted(async (signal) => {
      const { data, error } = await create({ price, bookingId: _id });
      if (signal.aborted) return;
      if (data) return dispatch({ type: "secretReceived", secret: data.clientSecret });
      const { status, message } = toApiError(error);
      // Who may not pay for it now may not the next time either.
      dispatch({ type: "secretFailed", message, canRetry: status !== 403 });
    });
  }, [isNeeded, create, dispatch, price, _id]);
}

/** In the second half of preparing, and in processing: asks the card provider for the status of the intent. */
function useIntent(
  state: PaymentState,
  dispatch: Dispatch<PaymentEvent>,
  stripe: Stripe | null,
  isHeld: boolean,
  isSettled: boolean,
) {
  const looks = useRef(0);
  const isPreparing = state.phase === "preparing" && isHeld;
  const isProcessing = state.phase === "processing" && !isSettled;
  const secret = isPreparing || isProcessing ? state.secret : null;
  useEffect(() => {
    if (!secret || !stripe) return;
    return whileMounted(async (signal) => {
      // The count goes on where the server and the provider disagree for a while.
      const wait = () => sleep(backoff(looks.current++ + 2, Math.random()), signal);
      while (!isProcessing || (await wait())) {
        const result = await retrieveIntent(stripe, secret);
        if (signal.aborted) return;
        dispatch({ type: "resultReceived", result });
        if (!isProcessing || !["processing", "unknown"].includes(result.kind)) return;
      }
    });
  }, [secret, stripe, isProcessing, dispatch]);
}

/** Recording: tells the server, until it knows. Its webhook would do it too, but this screen wants to say so. */
function useRecord(
  state: PaymentState,
  dispatch: Dispatch<PaymentEvent>,
  { _id, price, email }: Booking,
  isSettled: boolean,
) {
  const [record] = useRecordPaymentMutation();
  const transactionId = state.phase === "recording" && !isSettled ? state.transactionId : null;
  useEffect(() => {
    if (!transactionId) return;
    return whileMounted(async (signal) => {
      let event: PaymentEvent | null = null;
      for (let tries = 0; !event; tries++) {
        const { error } = await record({ price, transactionId, email, bookingId: _id });
        if (signal.aborted) return;
        event = error ? afterRefusal(error) : { type: "recorded" };
        if (!event && !(await sleep(backoff(tries, Math.random()), signal))) return;
      }
      dispatch(event);
    });
  }, [transactionId, record, dispatch, price, email, _id]);
}

/** What a failed POST /payments means; null when it is to be tried again. */
function afterRefusal(error: unknown): PaymentEvent | null {
  const failure = toApiError(error);
  const { status, code, message } = failure;
  if (isPassing(failure)) return null;
  if (status === 402) return { type: "notPaidYet" };
  return { type: code === "refunded" ? "refunded" : "recordRejected", message };
}
