import { useState } from "react";
import { type ApiError, toApiError } from "@/api/errors";
import type { BookingPayload, Product, SignedInUser } from "@/api/types";
import * as t from "@/texts/booking";
import { useToast } from "@/ui";
import { useBookMutation } from "./endpoints";
import { type LiveProduct, useLiveProduct } from "./useLiveProduct";

/** What the buyer types. */
export interface BookingFormValues {
  phone: string;
  location: string;
}

/** Why there is nothing to book: lost to somebody, withdrawn, or this buyer may not hold it now. */
export type BlockReason = "taken" | "gone" | "limit";

/** Codes of a refusal that says something of the buyer's other bookings. */
const LIMITS = new Set(["too_many", "wait"]);

interface Refusal {
  error: ApiError;
  /** Of which phone, and as it was then. */
  product: Product;
}

/** The _id of the new booking, or why there is none. */
type Outcome = { booked: string; failure?: undefined } | { failure: ApiError };

/** What a buyer agrees to: where it has changed since, they are asked again (the server: 409 conflict). */
const AGREED = ["name", "productCondition", "description", "resalePrice"] as const;
/** One of these fields, when it has another value now. */
export type Change = (typeof AGREED)[number];

/** The state of the booking form: the current phone, what prevents the booking, and what the buyer has accepted. */
export function useBooking(chosen: Product, me: SignedInUser) {
  const now = useLiveProduct(chosen);
  const { product } = now;
  const [book] = useBookMutation();
  const [isBusy, setBusy] = useState(false);
  const toast = useToast();
  const [refused, setRefused] = useState<Refusal>();
  const [agreed, setAgreed] = useState(chosen);
  if (agreed._id !== chosen._id) setAgreed(chosen);

  const refusal = refused?.product._id === product._id ? refused : undefined;
  const blockReason = blockReasonOf(now, refusal, isBusy);
  const isLost = blockReason === "taken" || blockReason === "gone";
  const [first] = useState(chosen._id);
  const [lost, setLost] = useState("");
  if (isLost && lost !== product._id) setLost(product._id);
  const submit = async (typed: BookingFormValues): Promise<Outcome> => {
    setRefused(undefined);
    setBusy(true);
    const { data, error } = await book(payloadOf(product, me, typed));
    // Done: it stays busy until it is closed, and never says that the phone was lost to ourselves.
    if (data) return { booked: data.insertedId };
    setBusy(false);
    const failure = toApiError(error);
    setRefused({ error: failure, product });
    // What has changed may not have come by itself yet.
    if (failure.code === "conflict") now.refetch();
    toast(failure.message, "error");
    return { failure };
  };

  return {
    product,
    isBusy,
    blockReason,
    isLost,
    /** What has happened: lost before and available again, or chosen in place of another. */
    news: lost === product._id ? t.availableAgain : first !== product._id ? t.nowBooking(product.name) : "",
    /** What the last try failed with, as far as it was about this phone. */
    failure: refusal?.error,
    /** The phone as the buyer has seen and not objected to it. */
    agreed,
    /** What is different now. */
    changes: AGREED.filter((field) => agreed[field] !== product[field]),
    agree: () => {
      setRefused(undefined);
      setAgreed(product);
    },
    submit,
  };
}

function blockReasonOf(
  { product, isGone }: LiveProduct,
  refusal: Refusal | undefined,
  isBusy: boolean,
): BlockReason | null {
  const { code, status } = refusal?.error ?? {};
  if (isGone || status === 404) return "gone";
  // While our own booking is under way it is most likely the one that took the phone.
  if (product.booked) return isBusy ? null : "taken";
  // An event that came since then says more than a refusal does.
  if (code === "taken" && refusal?.product.version === product.version) return "taken";
  return code && LIMITS.has(code) ? "limit" : null;
}

function payloadOf(product: Product, me: SignedInUser, typed: BookingFormValues): BookingPayload {
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
    phone: typed.phone.trim(),
    location: typed.location.trim(),
  };
}
