import { createSelector } from "@reduxjs/toolkit";
import { useSelector } from "react-redux";
import { api } from "./api";
import { liveList, type PageArg } from "./liveList";
import { type MeRoot, selectMe, useMe } from "./me";
import { useKnownRole } from "./role";
import type { Booking } from "./types";
import { useList } from "./useList";

interface OrdersArg extends PageArg {
  email: string;
}

const orders = api.injectEndpoints({
  endpoints: (build) => ({
    /** The orders of one buyer; live. */
    bookings: build.query(
      liveList<Booking, OrdersArg>("bookings", ({ email }) => `/bookings?email=${encodeURIComponent(email)}`),
    ),
  }),
});

export const { bookings } = orders.endpoints;

/** Loads the signed-in buyer's orders and keeps them live: cards show which phones the buyer has booked. */
export function useOwnBookings() {
  const email = useMe()?.email;
  const role = useKnownRole();
  return useList(bookings, email && role === "buyer" ? { email } : null);
}

type State = MeRoot & Parameters<ReturnType<typeof bookings.select>>[0];

const NO_BOOKINGS: ReadonlyMap<string, Booking> = new Map();

/** The selector of the signed-in user's orders; created once, because each card of a list uses it at each change. */
const selectOwnListSelector = createSelector([selectMe], (me) => bookings.select({ email: me?.email ?? "" }));

/** The latest order of each phone that the signed-in buyer has booked, by the phone's _id; of the loaded pages. */
const selectOwnBookings = createSelector(
  [(state: State) => selectOwnListSelector(state)(state).data],
  (list) => (list ? new Map(list.ids.toReversed().flatMap((id) => toEntry(list.entities[id]))) : NO_BOOKINGS),
);

const toEntry = (order: Booking | undefined): [string, Booking][] =>
  order ? [[order.productID, order]] : [];

/** The signed-in buyer's latest order of this phone, if there is one and this screen uses useOwnBookings. */
export function useOwnBooking(productID: string): Booking | undefined {
  return useSelector((state: State) => selectOwnBookings(state).get(productID));
}
