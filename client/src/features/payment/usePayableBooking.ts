import { useCallback, useEffect } from "react";
import { type ApiError, toApiError } from "@/api/errors";
import { useShownList } from "@/api/shownLists";
import type { Booking } from "@/api/types";
import { backoff } from "@/lib/live/backoff";
import { usePayableQuery } from "./endpoints";
import { sleep, whileMounted } from "./sleep";

/** A browser's longest timer, milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** The order to be paid, as it is now. */
export interface Payable {
  /** Undefined until the first answer. */
  booking: Booking | undefined;
  /** Why there is none; it stays on screen when a later call fails. */
  error: ApiError | undefined;
  isFetching: boolean;
  refetch: () => void;
}

/** Loads an order and keeps it right: live, and by asking at its deadline, should live be away just then. */
export function usePayableBooking(id: string): Payable {
  const query = usePayableQuery({ id }, { refetchOnMountOrArgChange: true });
  useShownList(query.currentData?.id);
  const ask = query.refetch;
  const refetch = useCallback(() => void ask(), [ask]);
  const booking = query.currentData?.entities[id];
  const deadline = booking?.status === "held" ? booking.holdUntil : null;
  useEffect(() => {
    if (!deadline) return;
    return whileMounted(async (signal) => {
      // The server ends a hold within a second, an open payment first.
      const left = Math.max(0, Date.parse(deadline) - Date.now()) + 1500;
      let isHere = left < LONGEST && (await sleep(left, signal));
      for (let tries = 0; isHere; tries++) {
        refetch();
        isHere = await sleep(backoff(tries + 3, Math.random()), signal);
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
