import { api } from "@/api/emptyApi";
import { liveList, type PageArg, refetchLists } from "@/api/liveList";
import type { Deleted, Line, Modified, Report, User } from "@/api/types";
import type { ListKind } from "@/lib/live";

/** Live brings these changes too; fetching again is for when live is away, and when the list was already old. */
const refresh = (...kinds: ListKind[]) => refetchLists(({ kind }) => kinds.includes(kind));

const admin = api.injectEndpoints({
  endpoints: (build) => ({
    buyers: build.query(liveList<User, PageArg>("buyers", () => "/users/buyers")),
    sellers: build.query(liveList<User, PageArg>("sellers", () => "/users/sellers")),
    reports: build.query(liveList<Report, PageArg>("reports", () => "/reportedItems")),
    trail: build.query(liveList<Line, PageArg>("trail", () => "/trail")),
    /** Deletes a buyer or seller by _id; their open bookings and free phones go with them. */
    deleteUser: build.mutation<Deleted, string>({
      query: (id) => ({ url: `/users/${id}`, method: "DELETE" }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        await queryFulfilled.catch(() => undefined);
        await dispatch(refresh("buyers", "sellers"));
      },
    }),
    /** Marks a seller, by _id, and every phone of theirs as verified. */
    verifySeller: build.mutation<Modified, string>({
      query: (id) => ({ url: `/users/seller/${id}`, method: "PUT" }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        await queryFulfilled.catch(() => undefined);
        await dispatch(refresh("sellers"));
      },
    }),
    /** Deletes a report by _id; the phone stays. */
    deleteReport: build.mutation<Deleted, string>({
      query: (id) => ({ url: `/reportedItems/${id}`, method: "DELETE" }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        await queryFulfilled.catch(() => undefined);
        await dispatch(refresh("reports"));
      },
    }),
  }),
});

export const { buyers, sellers, reports, trail } = admin.endpoints;
export const { useDeleteUserMutation, useVerifySellerMutation, useDeleteReportMutation } = admin;
