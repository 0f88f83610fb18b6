import { useSelector } from "react-redux";
import { type ApiRoot, api } from "./api";
import { liveEntity } from "./liveEntity";
import { liveList } from "./liveList";
import { createOwnByPhone, type OwnArg, useOwnList } from "./ownList";
import type { SessionRoot } from "./sessionSlice";
import type { Booking } from "./types";

/** The path of one booking. */
export const bookingPath = (id: string) => `/booking/${encodeURIComponent(id)}`;

// A booking has the contract's name here; the screens call it an order, as the spec does.
const bookingsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** One booking, for its buyer and its seller; live. */
    bookingById: build.query(liveEntity<Booking, { id: string }>("booking", ({ id }) => bookingPath(id))),
    /** The bookings of one buyer; live. */
    ownBookings: build.query(
      liveList<Booking, OwnArg>("bookings", ({ email }) => `/bookings?email=${encodeURIComponent(email)}`),
    ),
    /** What one seller has sold: their paid orders and refunded ones; live. */
    ownSales: build.query(
      liveList<Booking, OwnArg>(
        "sales",
        ({ email }) => `/bookings?side=seller&email=${encodeURIComponent(email)}`,
      ),
    ),
  }),
});

export const { useBookingByIdQuery } = bookingsApi;
export const { ownBookings, ownSales } = bookingsApi.endpoints;

/** Loads the signed-in buyer's bookings and keeps them live: cards show which phones the buyer has booked. */
export const useOwnBookings = () => useOwnList(ownBookings);

const selectOwnBookings = createOwnByPhone(ownBookings);

/** Whether the signed-in buyer has no booking yet, as far as this screen has loaded them with useOwnBookings. */
export function useIsFirstBooking(): boolean {
  return useSelector((state: SessionRoot & ApiRoot) => selectOwnBookings(state).size === 0);
}

/** The signed-in buyer's latest booking of this phone, if there is one and this screen uses useOwnBookings. */
export function useOwnBooking(productID: string): Booking | undefined {
  return useSelector((state: SessionRoot & ApiRoot) => selectOwnBookings(state).get(productID));
}
