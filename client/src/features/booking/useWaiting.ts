import { useState } from "react";
import { useOwnBooking } from "@/api/bookings";
import { VERIFY_EMAIL } from "@/api/emailConfirmation";
import { type ApiError, toApiError } from "@/api/errors";
import type { Product, WaitPayload } from "@/api/types";
import { useJoinWaitlistMutation } from "@/api/waitlist";
import { useLiveProduct } from "./useLiveProduct";

/**
 * Why nobody, or this buyer, can wait for the phone: it is available, sold, removed or theirs, or a limit is
 * reached, or their email is not confirmed.
 */
export type WaitBlockReason = "free" | "sold" | "removed" | "held" | "paid" | "full" | "limit" | "email";

/** The reasons by the server's error codes. */
const REASONS: Partial<Record<string, WaitBlockReason>> = {
  free: "free",
  sold: "sold",
  held: "held",
  full: "full",
  too_many: "limit",
  [VERIFY_EMAIL]: "email",
};

/** The state of the form of the waitlist: the current phone, and what prevents waiting for it. */
export function useWaiting(selected: Product) {
  const { product, isRemoved } = useLiveProduct(selected);
  const own = useOwnBooking(product._id)?.status;
  const [call, { isLoading: isBusy }] = useJoinWaitlistMutation();
  const [rejection, setRejection] = useState<{ error: ApiError; version: number }>();
  const error = rejection?.error;

  const blockReason = (): WaitBlockReason | null => {
    if (isRemoved || error?.status === 404) return "removed";
    if (own === "held" || own === "paid") return own;
    if (product.sold) return "sold";
    if (!product.booked) return "free";
    const reason = REASONS[error?.code ?? ""] ?? null;
    // A later event is newer than the rejection.
    const isOutdated = reason !== "limit" && reason !== "email" && rejection?.version !== product.version;
    return isOutdated ? null : reason;
  };

  const join = async (values: WaitPayload): Promise<{ position: number } | { error: ApiError }> => {
    setRejection(undefined);
    const { data, error: reason } = await call({ productID: product._id, values });
    if (data) return data;
    const failed = toApiError(reason);
    setRejection({ error: failed, version: product.version });
    return { error: failed };
  };

  return { product, isBusy, blockReason: isBusy ? null : blockReason(), error, join };
}
