import { updateAfterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { bookingPath } from "@/api/booking";
import { ofKind } from "@/api/refetchLists";
import type { Deleted } from "@/api/types";

const orders = api.injectEndpoints({
  endpoints: (build) => ({
    /** Cancels an unpaid order, by its _id. */
    cancelBooking: build.mutation<Deleted, string>({
      query: (id) => ({ url: `/bookings/${id}`, method: "DELETE" }),
      onQueryStarted: updateAfterWrite((id) => ({ lists: ofKind("bookings"), id, path: bookingPath(id) })),
    }),
  }),
});

export const { useCancelBookingMutation } = orders;
