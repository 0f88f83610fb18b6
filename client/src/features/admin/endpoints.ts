import { updateAfterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { liveList, type PageArg } from "@/api/liveList";
import { ofKind } from "@/api/refetchLists";
import type {
  AuditEntry,
  Booking,
  Deleted,
  FulfilmentRequest,
  KeptTexts,
  Modified,
  PersonSummary,
  Product,
  RemovalReason,
  Report,
  User,
} from "@/api/types";
import type { OrderFilter } from "@/lib/live";

/** The update of an order after a decision. */
const updateOrder = updateAfterWrite(({ id }: { id: string }) => ({ lists: ofKind("orders"), id }));

/** The argument of the list of sellers, one object for all renders. */
export const ALL_SELLERS = {};

/** How many phones of a seller are shown before they are verified. */
const SHOWN_PHONES = 5;

interface SellerPhones {
  phones: Product[];
  /** With those that are not in `phones`. */
  total: number;
}

/** The lists of orders about which an admin must do something, one argument object each for all renders. */
export const PROBLEMS: OrdersArg = { filter: { tab: "problem" } };
export const PAYOUTS: OrdersArg = { filter: { tab: "payout" } };
export const DISPUTES: OrdersArg = { filter: { tab: "dispute" } };
export const LATE: OrdersArg = { filter: { tab: "late" } };
/** The argument of the list of reports. */
export const ALL_REPORTS = {};

/** What an admin removes, by _id, and why; without a reason the person concerned reads usual words. */
interface Removal {
  id: string;
  reason?: RemovalReason | undefined;
}

/** The argument of the list of orders. */
interface OrdersArg extends PageArg {
  filter: OrderFilter;
}

function ordersPath({ filter }: OrdersArg): string {
  const set = Object.entries(filter).filter(([, value]) => value);
  return set.length > 0 ? `/orders?${new URLSearchParams(set)}` : "/orders";
}

const admin = api.injectEndpoints({
  endpoints: (build) => ({
    buyers: build.query(liveList<User, PageArg>("buyers", () => "/users/buyers")),
    sellers: build.query(liveList<User, PageArg>("sellers", () => "/users/sellers")),
    reports: build.query(liveList<Report, PageArg>("reports", () => "/reportedItems")),
    auditLog: build.query(liveList<AuditEntry, PageArg>("auditLog", () => "/auditLog")),
    allOrders: build.query(liveList<Booking, OrdersArg>("orders", ordersPath)),
    /** All orders whose money is due to the seller, of all pages. */
    dueOrders: build.query<Booking[], void>({
      keepUnusedDataFor: 0,
      queryFn: async (_, _store, _extra, send) => {
        const due: Booking[] = [];
        for (let cursor: string | null = ""; cursor !== null; ) {
          const params = new URLSearchParams({ payout: "due", limit: "200", ...(cursor && { cursor }) });
          const page = await send(`/orders?${params}`);
          if (page.error) return { error: page.error };
          due.push(...(page.data as Booking[]));
          cursor = page.meta?.nextCursor ?? null;
        }
        return { data: due };
      },
    }),
    /** A person, by _id. No event has it, so each visit fetches it. */
    person: build.query<PersonSummary, string>({
      keepUnusedDataFor: 0,
      query: (id) => `/people/${encodeURIComponent(id)}`,
    }),
    /** The reasons that the admins keep to use them again. */
    keptTexts: build.query<KeptTexts, void>({ query: () => "/texts", providesTags: ["Texts"] }),
    /** Replaces them. If they have changed since this version, the code of the error is "conflict". */
    keepTexts: build.mutation<Modified, KeptTexts>({
      query: (body) => ({ url: "/texts", method: "PUT", body }),
      invalidatesTags: ["Texts"],
    }),
    /** Settles a paid order, by _id: the money goes to the seller, or back to the buyer. */
    settleOrder: build.mutation<Modified, { id: string } & Pick<FulfilmentRequest, "outcome" | "reason">>({
      query: ({ id, ...body }) => ({
        url: `/bookings/${id}/fulfilment`,
        method: "PUT",
        body: { action: "settle", ...body },
      }),
      onQueryStarted: updateOrder,
    }),
    /** Refunds a paid order in full, by _id. */
    refundOrder: build.mutation<Modified, { id: string; reason: string }>({
      query: ({ id, reason }) => ({ url: `/orders/${id}/refund`, method: "POST", body: { reason } }),
      onQueryStarted: updateOrder,
    }),
    /** Marks orders of one seller, by _id, as paid out with one payment. */
    payOutOrders: build.mutation<Modified, { ids: string[]; reference: string }>({
      query: (body) => ({ url: "/orders/payouts", method: "PUT", body }),
      onQueryStarted: updateAfterWrite(() => ({ lists: ofKind("orders") })),
    }),
    /** Records that the seller of a refunded order, by _id, has paid back what they were paid. */
    recordRepayment: build.mutation<Modified, { id: string; reference: string }>({
      query: ({ id, reference }) => ({ url: `/orders/${id}/repayment`, method: "PUT", body: { reference } }),
      onQueryStarted: updateOrder,
    }),
    /** Closes the account of a buyer or seller; their open bookings end, and their phones are hidden. */
    deleteUser: build.mutation<Deleted, Removal>({
      query: ({ id, reason }) => ({ url: `/users/${id}`, method: "DELETE", body: reason }),
      onQueryStarted: updateAfterWrite(({ id }) => ({ lists: ofKind("buyers", "sellers"), id })),
    }),
    /** The newest phones of a seller, by email, and how many they have. */
    sellerPhones: build.query<SellerPhones, string>({
      keepUnusedDataFor: 0,
      query: (email) => `/products?email=${encodeURIComponent(email)}&limit=${SHOWN_PHONES}`,
      transformResponse: (phones: Product[], meta) => ({ phones, total: meta?.total ?? phones.length }),
    }),
    /**
     * Marks a seller, by _id, and every phone of theirs as verified. If the seller has changed since this version, the
     * code of the error is "conflict".
     */
    verifySeller: build.mutation<Modified, { id: string; version: number }>({
      query: ({ id, version }) => ({ url: `/users/seller/${id}`, method: "PUT", body: { version } }),
      onQueryStarted: updateAfterWrite(({ id }) => ({ lists: ofKind("sellers"), id })),
    }),
    /** Takes the badge of a seller, by _id, and of every phone of theirs back. */
    takeBadge: build.mutation<Modified, string>({
      query: (id) => ({ url: `/users/seller/${id}`, method: "DELETE" }),
      onQueryStarted: updateAfterWrite((id) => ({ lists: ofKind("sellers"), id })),
    }),
    /** Deletes a report by _id; the phone stays. */
    deleteReport: build.mutation<Deleted, string>({
      query: (id) => ({ url: `/reportedItems/${id}`, method: "DELETE" }),
      onQueryStarted: updateAfterWrite((id) => ({ lists: ofKind("reports"), id })),
    }),
    /** Hides a seller's phone, held or not; what was paid for it is refunded. */
    takeDown: build.mutation<Deleted, Removal>({
      query: ({ id, reason }) => ({ url: `/products/${id}`, method: "DELETE", body: reason }),
      onQueryStarted: updateAfterWrite(({ id }) => ({
        lists: ({ entities }) => id in entities,
        id,
        path: `/products/${id}`,
      })),
    }),
  }),
});

export const { buyers, sellers, reports, auditLog, allOrders } = admin.endpoints;
export const {
  useKeepTextsMutation,
  useKeptTextsQuery,
  usePersonQuery,
  useTakeDownMutation,
  useDeleteUserMutation,
  useVerifySellerMutation,
  useTakeBadgeMutation,
  useSellerPhonesQuery,
  useLazySellersQuery,
  useDeleteReportMutation,
  useSettleOrderMutation,
  useRefundOrderMutation,
  usePayOutOrdersMutation,
  useRecordRepaymentMutation,
  useLazyDueOrdersQuery,
} = admin;
