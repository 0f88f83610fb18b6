import { api } from "@/api/emptyApi";
import { refetchLists } from "@/api/liveList";
import type { Acknowledged } from "@/api/types";

/** What PUT /bookings takes (spec section 3); price in whole US dollars, productID the phone's _id, id its brand's. */
export interface BookingPayload {
  userName: string;
  email: string;
  productName: string;
  productID: string;
  id: string;
  brand: string;
  img: string;
  price: number;
  phone: string;
  location: string;
}

const booking = api.injectEndpoints({
  endpoints: (build) => ({
    /** Books a phone for the signed-in buyer; 409 with the server's words when somebody was faster. */
    book: build.mutation<Acknowledged, BookingPayload>({
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
