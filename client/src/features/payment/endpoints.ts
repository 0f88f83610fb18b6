import { api } from "@/api/emptyApi";
import { type ApiError, toApiError } from "@/api/errors";
import { refetchLists } from "@/api/liveList";
import type { Booking, ClientSecret, Paid, PaymentOrder, PaymentRequest } from "@/api/types";
import { type LiveList, listOf } from "@/lib/live";

/** Whether the server has no answer of its own to give now, so that asking again may bring one. */
export function isPassing({ status, code }: ApiError): boolean {
  // Of the 4xx: a token about to be renewed, too many calls, and somebody else writing at the same moment.
  return status === 0 || status >= 500 || status === 401 || status === 429 || code === "conflict";
}

/** How a call ended, for the lists that it may have changed. */
async function outcome(call: PromiseLike<unknown>): Promise<"done" | "refused" | "unanswered"> {
  try {
    await call;
    return "done";
  } catch (failure) {
    return isPassing(toApiError((failure as { error?: unknown }).error)) ? "unanswered" : "refused";
  }
}

const refetchBookings = () => refetchLists(({ kind }) => kind === "bookings");

const payment = api.injectEndpoints({
  endpoints: (build) => ({
    /** One order, held as a list of the buyer's own topic: so live updates keep it right. */
    payable: build.query<LiveList<Booking>, { id: string }>({
      queryFn: async ({ id }, _store, _extra, call) => {
        const startedAt = Date.now();
        const { data, error } = await call(`/booking/${encodeURIComponent(id)}`);
        if (error) return { error };
        const meta = {
          kind: "bookings",
          total: 1,
          nextCursor: null,
          topic: "me",
          position: null,
          startedAt,
        } as const;
        return { data: listOf([data as Booking], meta) };
      },
    }),
    /** The secret with which the browser may pay for a booking; the same one each time it is asked for. */
    createPaymentIntent: build.mutation<ClientSecret, PaymentOrder>({
      query: (body) => ({ url: "/create-payment-intent", method: "POST", body }),
      // A refusal means that the order on screen is old: paid elsewhere, or ended.
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        if ((await outcome(queryFulfilled)) === "refused") await dispatch(refetchBookings());
      },
    }),
    /** Tells the server of a payment; it asks the card provider itself. May be repeated. */
    recordPayment: build.mutation<Paid, PaymentRequest>({
      query: (body) => ({ url: "/payments", method: "POST", body }),
      // Live brings the change too; this is for when live is away.
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        if ((await outcome(queryFulfilled)) !== "unanswered") await dispatch(refetchBookings());
      },
    }),
  }),
});

export const { usePayableQuery, useCreatePaymentIntentMutation, useRecordPaymentMutation } = payment;
