import { updateAfterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { bookingPath, useBookingByIdQuery } from "@/api/bookings";
import { liveEntity } from "@/api/liveEntity";
import { ofKind } from "@/api/refetchLists";
import type { Booking, Deleted, FulfilmentRequest, HandoverCode, Modified, Role } from "@/api/types";
import { pictureUrl } from "@/lib/pictureUrl";

const ordersApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** One order for admins, whose topic has separate events of orders; live. */
    orderForAdmin: build.query(liveEntity<Booking, { id: string }>("orders", ({ id }) => bookingPath(id))),
    /** Cancels an unpaid order, by its _id. */
    cancelBooking: build.mutation<Deleted, string>({
      query: (id) => ({ url: `/bookings/${id}`, method: "DELETE" }),
      onQueryStarted: updateAfterWrite((id) => ({
        lists: ofKind("booking", "bookings"),
        id,
        path: bookingPath(id),
      })),
    }),
    /** Sends a step of a paid order. */
    fulfil: build.mutation<Modified, FulfilmentRequest & { id: string }>({
      query: ({ id, ...body }) => ({ url: `/bookings/${id}/fulfilment`, method: "PUT", body }),
      onQueryStarted: updateAfterWrite(({ id }) => ({
        lists: ofKind("booking", "bookings", "sales", "orders"),
        id,
        path: bookingPath(id),
      })),
    }),
    /** Answers the dispute of an order's payment at the buyer's bank, for admins. */
    answerDispute: build.mutation<Modified, { id: string }>({
      query: ({ id }) => ({ url: `/orders/${id}/dispute`, method: "POST" }),
      onQueryStarted: updateAfterWrite(({ id }) => ({ lists: ofKind("orders"), id, path: bookingPath(id) })),
    }),
    /**
     * A photograph of a paid order, by its address, read like every other call, with the token. The result is an object URL,
     * which is released when nothing shows the photograph any more.
     */
    evidence: build.query<string, string>({
      query: (address) => ({ url: pictureUrl(address), responseHandler: toObjectUrl }),
      keepUnusedDataFor: 0,
      onCacheEntryAdded: async (_, { cacheDataLoaded, cacheEntryRemoved }) => {
        const loaded = await cacheDataLoaded.catch(() => undefined);
        await cacheEntryRemoved;
        if (loaded) URL.revokeObjectURL(loaded.data);
      },
    }),
    /** Creates the code that one side shows the other when they meet. */
    handoverCode: build.mutation<HandoverCode, string>({
      query: (id) => ({ url: `/bookings/${id}/handover`, method: "POST" }),
    }),
  }),
});

/** The object URL of a picture; the body of an error is JSON. */
const toObjectUrl = async (response: Response): Promise<unknown> =>
  response.ok ? URL.createObjectURL(await response.blob()) : response.json();

const { useOrderForAdminQuery } = ordersApi;
export const {
  useAnswerDisputeMutation,
  useCancelBookingMutation,
  useEvidenceQuery,
  useFulfilMutation,
  useHandoverCodeMutation,
} = ordersApi;

/** One order, as this user sees it; undefined while the role is not known. */
export function useOrder(id: string, role: Role | undefined) {
  const options = { refetchOnMountOrArgChange: true };
  const own = useBookingByIdQuery({ id }, { ...options, skip: !role || role === "admin" });
  const forAdmin = useOrderForAdminQuery({ id }, { ...options, skip: role !== "admin" });
  return role === "admin" ? forAdmin : own;
}
