import { updateAfterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { bookingPath, useBookingQuery } from "@/api/booking";
import { liveEntity } from "@/api/liveEntity";
import { ofKind } from "@/api/refetchLists";
import type { Booking, FulfilmentRequest, HandoverCode, Modified, Role } from "@/api/types";

const order = api.injectEndpoints({
  endpoints: (build) => ({
    /** One order for admins, whose topic has separate events of orders; live. */
    anyOrder: build.query(liveEntity<Booking, { id: string }>("orders", ({ id }) => bookingPath(id))),
    /** Sends a step of a paid order. */
    fulfil: build.mutation<Modified, FulfilmentRequest & { id: string }>({
      query: ({ id, ...body }) => ({ url: `/bookings/${id}/fulfilment`, method: "PUT", body }),
      onQueryStarted: updateAfterWrite(({ id }) => ({
        lists: ofKind("bookings", "orders"),
        id,
        path: bookingPath(id),
      })),
    }),
    /** Creates the code that the buyer shows the seller. */
    handoverCode: build.mutation<HandoverCode, string>({
      query: (id) => ({ url: `/bookings/${id}/handover`, method: "POST" }),
    }),
  }),
});

export const { useAnyOrderQuery, useFulfilMutation, useHandoverCodeMutation } = order;

/** One order, as this side sees it; undefined while the role is not known. */
export function useOrder(id: string, side: Role | undefined) {
  const options = { refetchOnMountOrArgChange: true };
  const own = useBookingQuery({ id }, { ...options, skip: !side || side === "admin" });
  const any = useAnyOrderQuery({ id }, { ...options, skip: side !== "admin" });
  return side === "admin" ? any : own;
}
