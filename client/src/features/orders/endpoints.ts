import { afterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { liveList, type PageArg } from "@/api/liveList";
import type { Booking, Deleted } from "@/api/types";
import type { LiveList } from "@/lib/live";

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
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const lists = ({ kind }: LiveList) => kind === "bookings";
        await dispatch(afterWrite({ lists, id, path: `/booking/${id}` }, queryFulfilled));
      },
    }),
  }),
});

export const { bookings } = orders.endpoints;
export const { useCancelBookingMutation } = orders;
