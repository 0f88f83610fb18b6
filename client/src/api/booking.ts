import { api } from "./api";
import { liveEntity } from "./liveEntity";
import type { Booking } from "./types";

/** The path of one order. */
export const bookingPath = (id: string) => `/booking/${encodeURIComponent(id)}`;

const oneOrder = api.injectEndpoints({
  endpoints: (build) => ({
    /** One order, for its two sides; live. */
    booking: build.query(liveEntity<Booking, { id: string }>("bookings", ({ id }) => bookingPath(id))),
  }),
});

export const { useBookingQuery } = oneOrder;
