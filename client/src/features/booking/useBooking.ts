import { useState } from "react";
import { VERIFY_EMAIL } from "@/api/emailConfirmation";
import { type ApiError, toApiError } from "@/api/errors";
import type { BookingPayload, Product, SignedInUser } from "@/api/types";
import * as t from "@/texts/booking";
import { useToast } from "@/ui";
import { useBookMutation } from "./endpoints";
import { type LiveProduct, useLiveProduct } from "./useLiveProduct";

/** The values of the form. */
export interface BookingFormValues {
  phone: string;
  location: string;
}

/** Why the phone can't be booked: it was booked or removed, or the buyer has reached a limit or not confirmed their email. */
export type BlockReason = "booked" | "removed" | "limit" | "email";

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
const CHECKED_FIELDS = ["name", "productCondition", "storage", "description", "resalePrice"] as const;
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
  const blockReason = blockReasonOf(live, currentRejection, isBusy);
  const isUnavailable = blockReason === "booked" || blockReason === "removed";
  const [firstId] = useState(selected._id);
  const [unavailableId, setUnavailableId] = useState("");
  if (isUnavailable && unavailableId !== product._id) setUnavailableId(product._id);
  const wasUnavailable = unavailableId === product._id;
  const changes = CHECKED_FIELDS.filter((field) => accepted[field] !== product[field]);
  const submit = async (values: BookingFormValues): Promise<BookingResult> => {
    setRejection(undefined);
    setBusy(true);
    const { data, error: reason } = await book(payloadOf(product, me, values));
    // It stays busy until the dialog is closed, so that the event of this booking does not show the phone as unavailable.
    if (data) return { booked: data.insertedId };
    setBusy(false);
    const error = toApiError(reason);
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
  if (blockReason === "removed") return null;
  if (blockReason === "booked") return sold ? null : "wait";
  return isChanged ? "accept" : "book";
}

function blockReasonOf(
  { product, isRemoved }: LiveProduct,
  rejection: Rejection | undefined,
  isBusy: boolean,
): BlockReason | null {
  const { code, status } = rejection?.error ?? {};
  if (isRemoved || status === 404) return "removed";
  // While the booking is being sent, it is most likely the one of the event.
  if (product.booked) return isBusy ? null : "booked";
  // A later event is newer than the rejection.
  if (code === "taken" && rejection?.product.version === product.version) return "booked";
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
