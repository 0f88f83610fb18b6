import { api } from "@/api/emptyApi";
import { liveList, type PageArg, refetchLists } from "@/api/liveList";
import type { Booking, Deleted } from "@/api/types";

interface OrdersArg extends PageArg {
  email: string;
}

const orders = api.injectEndpoints({
  endpoints: (build) => ({
    /** The orders of one buyer, kept right by their own topic. */
    bookings: build.query(
      liveList<Booking, OrdersArg>("bookings", ({ email }) => `/bookings?email=${encodeURIComponent(email)}`),
    ),
    /** Cancels an unpaid order, by its _id. */
    cancelBooking: build.mutation<Deleted, string>({
      query: (id) => ({ url: `/bookings/${id}`, method: "DELETE" }),
      // Live brings the change too; this is for when live is away.
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        await queryFulfilled.catch(() => undefined);
        await dispatch(refetchLists(({ kind }) => kind === "bookings"));
      },
    }),
  }),
});

export const { bookings } = orders.endpoints;
export const { useCancelBookingMutation } = orders;
