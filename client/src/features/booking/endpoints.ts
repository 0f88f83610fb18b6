import { api } from "@/api/emptyApi";
import { refetchLists } from "@/api/liveList";
import type { BookingPayload, Inserted } from "@/api/types";

const booking = api.injectEndpoints({
  endpoints: (build) => ({
    /** Books a phone for the signed-in buyer; 409 with the server's words when somebody was faster. */
    book: build.mutation<Inserted, BookingPayload>({
      query: (body) => ({ url: "/bookings", method: "PUT", body }),
      // Live brings the change too; this is for when live is away. A refusal also means that the list is old.
      onQueryStarted: async ({ id }, { dispatch, queryFulfilled }) => {
        await queryFulfilled.catch(() => undefined);
        await dispatch(refetchLists(({ kind, topic }) => kind === "bookings" || topic === `brand:${id}`));
      },
    }),
  }),
});

export const { useBookMutation } = booking;
