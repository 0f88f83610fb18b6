import { afterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { liveEntity } from "@/api/liveEntity";
import type { components } from "@/api/schema";
import type { Booking, Modified, Role } from "@/api/types";
import type { LiveList } from "@/lib/live";

/** The body of PUT /bookings/{id}/fulfilment. */
export type Step = components["schemas"]["FulfilmentRequest"];

const order = api.injectEndpoints({
  endpoints: (build) => ({
    /** One order; live. */
    order: build.query(
      liveEntity<Booking, { id: string }>("bookings", ({ id }) => `/booking/${encodeURIComponent(id)}`),
    ),
    /** The same for admins, who hear of orders by events of their own. */
    anyOrder: build.query(
      liveEntity<Booking, { id: string }>("orders", ({ id }) => `/booking/${encodeURIComponent(id)}`),
    ),
    /** Takes a paid order one step on. */
    fulfil: build.mutation<Modified, Step & { id: string }>({
      query: ({ id, ...body }) => ({ url: `/bookings/${id}/fulfilment`, method: "PUT", body }),
      onQueryStarted: async ({ id }, { dispatch, queryFulfilled }) => {
        const lists = ({ kind }: LiveList) => kind === "bookings" || kind === "orders";
        await dispatch(afterWrite({ lists, id, path: `/booking/${encodeURIComponent(id)}` }, queryFulfilled));
      },
    }),
    /** Makes the code that the buyer shows the seller. */
    handoverCode: build.mutation<components["schemas"]["HandoverCode"], string>({
      query: (id) => ({ url: `/bookings/${id}/handover`, method: "POST" }),
    }),
  }),
});

export const { useOrderQuery, useAnyOrderQuery, useFulfilMutation, useHandoverCodeMutation } = order;

/** One order, as this side sees it; undefined while the role is not known. */
export function useOrder(id: string, side: Role | undefined) {
  const options = { refetchOnMountOrArgChange: true };
  const own = useOrderQuery({ id }, { ...options, skip: !side || side === "admin" });
  const any = useAnyOrderQuery({ id }, { ...options, skip: side !== "admin" });
  return side === "admin" ? any : own;
}
