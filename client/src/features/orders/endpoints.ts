import { afterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import type { Deleted } from "@/api/types";
import type { LiveList } from "@/lib/live";

const orders = api.injectEndpoints({
  endpoints: (build) => ({
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

export const { useCancelBookingMutation } = orders;
