import { useCallback, useEffect } from "react";
import { useBookingByIdQuery } from "@/api/bookings";
import { type ApiError, toApiError } from "@/api/errors";
import { useLiveList } from "@/api/live";
import type { Booking } from "@/api/types";
import { backoff } from "@/lib/backoff";
import { serverNow } from "@/lib/serverTime";
import { runEffect } from "./runEffect";
import { sleepUntilOnline } from "./sleepUntilOnline";

/** The longest timeout of a browser, milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The order, and the state of its query. */
interface Payable {
  /** Undefined until the first response. */
  booking: Booking | undefined;
  /** The error, if there is no order; when a later request fails, the order is kept. */
  error: ApiError | undefined;
  isFetching: boolean;
  refetch: () => void;
}

/** Loads an order and keeps it live. It is also refetched when its hold ends, in case there is no live connection. */
export function usePayableBooking(id: string): Payable {
  const query = useBookingByIdQuery({ id }, { refetchOnMountOrArgChange: true });
  useLiveList(query.currentData);
  const refetchQuery = query.refetch;
  const refetch = useCallback(() => void refetchQuery(), [refetchQuery]);
  const booking = query.currentData?.entities[id];
  const deadline = booking?.status === "held" ? booking.holdUntil : null;
  useEffect(() => {
    if (!deadline) return;
    return runEffect(async (signal) => {
      // The server ends a hold within a second of its deadline.
      const delay = Math.max(0, Date.parse(deadline) - serverNow()) + 1500;
      let isMounted = delay < MAX_TIMEOUT_MS && (await sleepUntilOnline(delay, signal));
      for (let attempt = 0; isMounted; attempt++) {
        refetch();
        isMounted = await sleepUntilOnline(backoff(attempt + 3, Math.random()), signal);
      }
    });
  }, [deadline, refetch]);
  return {
    booking,
    error: !booking && query.error ? toApiError(query.error) : undefined,
    isFetching: query.isFetching,
    refetch,
  };
}
