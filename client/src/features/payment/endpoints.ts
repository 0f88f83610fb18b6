import { afterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { type ApiError, toApiError } from "@/api/errors";
import { listId, listTag } from "@/api/shownLists";
import type { Booking, ClientSecret, Paid, PaymentOrder, PaymentRequest } from "@/api/types";
import { createList, type LiveList } from "@/lib/live";

/** Whether the server has no answer of its own to give now, so that asking again may bring one. */
export function isPassing({ status, code }: ApiError): boolean {
  // Of the 4xx: a token about to be renewed, too many calls, and somebody else writing at the same moment.
  return status === 0 || status >= 500 || status === 401 || status === 429 || code === "conflict";
}

/** Brings the order up to date after a call about its payment, live or by reading it. */
const afterPayment = (bookingId: string, call: PromiseLike<unknown>) =>
  afterWrite(
    {
      lists: ({ kind }) => kind === "bookings",
      id: bookingId,
      path: `/booking/${encodeURIComponent(bookingId)}`,
    },
    call,
  );

/** What came of a call: "passing" where asking again may bring an answer. */
async function outcomeOf(call: PromiseLike<unknown>): Promise<"done" | "refused" | "passing"> {
  try {
    await call;
    return "done";
  } catch (failure) {
    return isPassing(toApiError((failure as { error?: unknown }).error)) ? "passing" : "refused";
  }
}

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
        return { data: { ...createList([data as Booking], meta), id: listId("bookings", { id }) } };
      },
      providesTags: (_list, _error, arg) => [listTag(listId("bookings", arg))],
    }),
    /** The secret with which the browser may pay for a booking; the same one each time it is asked for. */
    createPaymentIntent: build.mutation<ClientSecret, PaymentOrder>({
      query: (body) => ({ url: "/create-payment-intent", method: "POST", body }),
      // A refusal means that the order on screen is old: paid elsewhere, or ended.
      onQueryStarted: async ({ bookingId }, { dispatch, queryFulfilled }) => {
        if ((await outcomeOf(queryFulfilled)) === "refused")
          await dispatch(afterPayment(bookingId, queryFulfilled));
      },
    }),
    /** Tells the server of a payment; it asks the card provider itself. May be repeated. */
    recordPayment: build.mutation<Paid, PaymentRequest>({
      query: (body) => ({ url: "/payments", method: "POST", body }),
      // Without an answer the screen asks again by itself.
      onQueryStarted: async ({ bookingId }, { dispatch, queryFulfilled }) => {
        if ((await outcomeOf(queryFulfilled)) !== "passing")
          await dispatch(afterPayment(bookingId, queryFulfilled));
      },
    }),
  }),
});

export const { usePayableQuery, useCreatePaymentIntentMutation, useRecordPaymentMutation } = payment;
