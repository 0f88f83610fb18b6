import { useSelector } from "react-redux";
import { api } from "./api";
import { liveList } from "./liveList";
import type { MeRoot } from "./me";
import { createOwnByPhone, type OwnArg, useOwnList } from "./ownList";
import type { Booking } from "./types";

const orders = api.injectEndpoints({
  endpoints: (build) => ({
    /** The orders of one buyer; live. */
    bookings: build.query(
      liveList<Booking, OwnArg>("bookings", ({ email }) => `/bookings?email=${encodeURIComponent(email)}`),
    ),
  }),
});

export const { bookings } = orders.endpoints;

/** Loads the signed-in buyer's orders and keeps them live: cards show which phones the buyer has booked. */
export const useOwnBookings = () => useOwnList(bookings);

const selectOwnBookings = createOwnByPhone(bookings);

/** The signed-in buyer's latest order of this phone, if there is one and this screen uses useOwnBookings. */
export function useOwnBooking(productID: string): Booking | undefined {
  return useSelector((state: MeRoot) => selectOwnBookings(state).get(productID));
}
