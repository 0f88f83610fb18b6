import { afterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import type { components } from "@/api/schema";
import { listId, listTag } from "@/api/shownLists";
import type { Booking, Modified } from "@/api/types";
import { createList, type LiveList } from "@/lib/live";

/** The body of PUT /bookings/{id}/fulfilment. */
export type Step = components["schemas"]["FulfilmentRequest"];

const order = api.injectEndpoints({
  endpoints: (build) => ({
    /** One order; a list of the person's own topic, so that it is live. */
    order: build.query<LiveList<Booking>, { id: string }>({
      queryFn: async ({ id }, _store, _extra, call) => {
        const startedAt = Date.now();
        const { data, error } = await call(`/booking/${encodeURIComponent(id)}`);
        if (error) return { error };
        const meta = {
          kind: "bookings",
          total: 1,
          nextCursor: null,
          topic: "me",
          position: null,
          startedAt,
        } as const;
        return { data: { ...createList([data as Booking], meta), id: listId("bookings", { id }) } };
      },
      providesTags: (_list, _error, arg) => [listTag(listId("bookings", arg))],
    }),
    /** Takes a paid order one step on. */
    fulfil: build.mutation<Modified, Step & { id: string }>({
      query: ({ id, ...body }) => ({ url: `/bookings/${id}/fulfilment`, method: "PUT", body }),
      onQueryStarted: async ({ id }, { dispatch, queryFulfilled }) => {
        const lists = ({ kind }: LiveList) => kind === "bookings";
        await dispatch(afterWrite({ lists, id, path: `/booking/${encodeURIComponent(id)}` }, queryFulfilled));
      },
    }),
    /** Makes the code that the buyer shows the seller. */
    handoverCode: build.mutation<components["schemas"]["HandoverCode"], string>({
      query: (id) => ({ url: `/bookings/${id}/handover`, method: "POST" }),
    }),
  }),
});

export const { useOrderQuery, useFulfilMutation, useHandoverCodeMutation } = order;
