import { useEffect, useRef, useState } from "react";
import { useOwnBooking } from "@/api/bookings";
import { VERIFY_EMAIL } from "@/api/emailConfirmation";
import { type ApiError, toApiError } from "@/api/errors";
import type { Booking, BookingPayload, Product, SignedInUser } from "@/api/types";
import * as t from "@/texts/booking";
import { useToast } from "@/ui";
import { useBookMutation } from "./endpoints";
import { type LiveProduct, useLiveProduct } from "./useLiveProduct";

/** The values of the form. */
export interface BookingFormValues {
  phone: string;
  location: string;
}

/**
 * Why the phone can't be booked: this buyer holds it or has paid for it, somebody else has booked it, it was removed, or
 * the buyer has reached a limit or not confirmed their email.
 */
export type BlockReason = "held" | "paid" | "booked" | "removed" | "limit" | "email";

/**
 * The event of a booking comes at most this much later than that of its phone, milliseconds. The booking may be this buyer's:
 * made in another tab, or by a call whose answer was lost.
 */
const BOOKING_EVENT_LAG_MS = 500;

/** The error codes of limits, which concern the buyer's other bookings. */
const LIMIT_CODES = new Set(["too_many", "wait"]);

interface Rejection {
  error: ApiError;
  /** The phone at that time. */
  product: Product;
}

/** The _id of the new booking, or the error. */
type BookingResult = { booked: string; error?: undefined } | { error: ApiError };

/** The fields that a buyer accepts. After a change the buyer has to accept them again (the server responds 409 conflict). */
const CHECKED_FIELDS = [
  "name",
  "productCondition",
  "storage",
  "colour",
  "description",
  "delivers",
  "postage",
  "resalePrice",
] as const;
/** A field that has changed. */
export type Change = (typeof CHECKED_FIELDS)[number];

/** What the button does: books, accepts the changes first, or leads to the waitlist of a phone that another buyer holds. */
export type BookingAction = "book" | "accept" | "wait";

/** The state of the booking form: the current phone, what prevents the booking, and what the buyer has accepted. */
export function useBooking(selected: Product, me: SignedInUser) {
  const live = useLiveProduct(selected);
  const { product } = live;
  const [book] = useBookMutation();
  const [isBusy, setBusy] = useState(false);
  const toast = useToast();
  const [rejection, setRejection] = useState<Rejection>();
  const [accepted, setAccepted] = useState(selected);
  if (accepted._id !== selected._id) setAccepted(selected);

  const currentRejection = rejection?.product._id === product._id ? rejection : undefined;
  const own = useOwnBooking(product._id);
  const isBookedByOther = useIsTrueFor(BOOKING_EVENT_LAG_MS, product.booked);
  const blockReason = blockReasonOf({ ...live, own, isBookedByOther, rejection: currentRejection, isBusy });
  const isUnavailable = blockReason === "booked" || blockReason === "removed";
  const [firstId] = useState(selected._id);
  const [unavailableId, setUnavailableId] = useState("");
  if (isUnavailable && unavailableId !== product._id) setUnavailableId(product._id);
  const wasUnavailable = unavailableId === product._id;
  const changes = CHECKED_FIELDS.filter((field) => accepted[field] !== product[field]);
  /** The answer to an attempt was lost: it may have booked the phone. */
  const wasAnswerLost = useRef(false);
  const explained = (error: ApiError) => {
    wasAnswerLost.current ||= error.code === "network" || error.status >= 500;
    const isNothingBooked = error.code === "offline" && !wasAnswerLost.current;
    return isNothingBooked ? { ...error, message: t.offline } : error;
  };
  const submit = async (values: BookingFormValues): Promise<BookingResult> => {
    setRejection(undefined);
    setBusy(true);
    const { data, error: reason } = await book(payloadOf(product, me, values));
    // It stays busy until the dialog is closed, so that the event of this booking does not show the phone as unavailable.
    if (data) return { booked: data.insertedId };
    setBusy(false);
    const error = explained(toApiError(reason));
    // The form shows these at their fields.
    if (error.fields?.phone || error.fields?.location) return { error };
    setRejection({ error, product });
    // The event of the change may not have arrived yet.
    if (error.code === "conflict") live.refetch();
    toast(error.message, "error");
    return { error };
  };

  return {
    product,
    isBusy,
    blockReason,
    action: actionOf(blockReason, product, changes.length > 0 && !isBusy),
    /** It is or was unavailable since it was selected. */
    wasUnavailable,
    /** The phone is available again, or was selected in place of another one; "" for no notice. */
    notice: wasUnavailable ? t.availableAgain : firstId !== product._id ? t.nowBooking(product.name) : "",
    /** The error of the last attempt, if it concerned this phone. */
    error: currentRejection?.error,
    /** The phone in the state that the buyer has accepted. */
    accepted,
    /** The fields that have changed since. */
    changes,
    acceptChanges: () => {
      setRejection(undefined);
      setAccepted(product);
    },
    submit,
  };
}

function actionOf(
  blockReason: BlockReason | null,
  { sold }: Product,
  isChanged: boolean,
): BookingAction | null {
  if (blockReason === "removed" || blockReason === "held" || blockReason === "paid") return null;
  if (blockReason === "booked") return sold ? null : "wait";
  return isChanged ? "accept" : "book";
}

/** Whether a value has been true for this time, or from the start. */
function useIsTrueFor(milliseconds: number, value: boolean): boolean {
  const [isTrue, setTrue] = useState(value);
  useEffect(() => {
    if (!value) return setTrue(false);
    const timer = setTimeout(() => setTrue(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds, value]);
  return value && isTrue;
}

interface Situation extends LiveProduct {
  /** The buyer's latest booking of the phone. */
  own: Booking | undefined;
  isBookedByOther: boolean;
  rejection: Rejection | undefined;
  isBusy: boolean;
}

function blockReasonOf(situation: Situation): BlockReason | null {
  const { product, isRemoved, own, isBookedByOther, rejection, isBusy } = situation;
  const { code, status } = rejection?.error ?? {};
  if (isRemoved || status === 404) return "removed";
  // While the booking is being sent, it is most likely the one of the event.
  if (isBusy) return null;
  if (own?.status === "held" || own?.status === "paid") return own.status;
  if (isBookedByOther) return "booked";
  // A later event is newer than the rejection.
  if (code === "taken" && (product.booked || rejection?.product.version === product.version)) return "booked";
  if (code === VERIFY_EMAIL) return "email";
  return code && LIMIT_CODES.has(code) ? "limit" : null;
}

function payloadOf(product: Product, me: SignedInUser, values: BookingFormValues): BookingPayload {
  return {
    userName: me.displayName,
    email: me.email,
    productName: product.name,
    productID: product._id,
    version: product.version,
    id: product.id,
    brand: product.brand,
    img: product.img,
    price: Math.trunc(product.resalePrice),
    phone: values.phone,
    location: values.location,
  };
}
