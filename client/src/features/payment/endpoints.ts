import { afterWrite, updateAfterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { bookingPath } from "@/api/bookings";
import { type ApiError, toApiError } from "@/api/errors";
import { ofKind } from "@/api/refetchLists";
import type {
  Address,
  ClientSecret,
  DeliveryRequest,
  Modified,
  Paid,
  PaymentOrder,
  PaymentRequest,
  SignedInUser,
} from "@/api/types";

/** Whether the error is temporary, so that the call may succeed when it is repeated. */
export function isTemporary({ status, code }: ApiError): boolean {
  // Of the 4xx codes: a token that is being renewed, too many requests, and a concurrent write.
  return status === 0 || status >= 500 || status === 401 || status === 429 || code === "conflict";
}

/** What a call about an order changes. */
const orderOf = (id: string) => ({ lists: ofKind("booking", "bookings"), id, path: bookingPath(id) });

/** Updates the order after a call about its payment: by its event, or by fetching it. */
const afterPayment = (bookingId: string, call: PromiseLike<unknown>) => afterWrite(orderOf(bookingId), call);

/** Classifies the result of a call; "temporary" means that it may be repeated. */
async function classifyResult(call: PromiseLike<unknown>): Promise<"done" | "rejected" | "temporary"> {
  try {
    await call;
    return "done";
  } catch (rejection) {
    return isTemporary(toApiError((rejection as { error?: unknown }).error)) ? "temporary" : "rejected";
  }
}

const payment = api.injectEndpoints({
  endpoints: (build) => ({
    /** The secret with which the browser pays for a booking; each request returns the same one. */
    createPaymentIntent: build.mutation<ClientSecret, PaymentOrder>({
      query: (body) => ({ url: "/create-payment-intent", method: "POST", body }),
      // A rejection means that the order on the screen is outdated: it was paid elsewhere, or has ended.
      onQueryStarted: async ({ bookingId }, { dispatch, queryFulfilled }) => {
        if ((await classifyResult(queryFulfilled)) === "rejected")
          await dispatch(afterPayment(bookingId, queryFulfilled));
      },
    }),
    /** Stores how the buyer wants to get the phone. */
    chooseDelivery: build.mutation<Modified, DeliveryRequest & { id: string }>({
      query: ({ id, ...body }) => ({ url: `/bookings/${id}/delivery`, method: "PUT", body }),
      onQueryStarted: updateAfterWrite(({ id }) => orderOf(id)),
    }),
    /** The address that the account remembers; null if there is none. */
    rememberedAddress: build.query<Address | null, void>({
      query: () => "/identity/me",
      transformResponse: ({ address }: SignedInUser) => address ?? null,
    }),
    /** Records a payment; the server checks it with the card provider. May be repeated. */
    recordPayment: build.mutation<Paid, PaymentRequest>({
      query: (body) => ({ url: "/payments", method: "POST", body }),
      // After a temporary error usePayment repeats the call.
      onQueryStarted: async ({ bookingId }, { dispatch, queryFulfilled }) => {
        if ((await classifyResult(queryFulfilled)) !== "temporary")
          await dispatch(afterPayment(bookingId, queryFulfilled));
      },
    }),
  }),
});

export const {
  useCreatePaymentIntentMutation,
  useChooseDeliveryMutation,
  useRememberedAddressQuery,
  useRecordPaymentMutation,
} = payment;
