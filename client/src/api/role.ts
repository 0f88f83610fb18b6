import { createSelector } from "@reduxjs/toolkit";
import { useSelector } from "react-redux";
import { api } from "./api";
import type { ApiError } from "./errors";
import { type SessionRoot, selectMe } from "./sessionSlice";
import type { Role } from "./types";

/** The response of a role lookup. */
interface RoleAnswer {
  isAdmin?: boolean;
  isModerator?: boolean;
  isSeller?: boolean;
}

/** A moderator is an admin who does not see orders or handle money. */
type LoadedRole = Role | "moderator";

const roleOfAdmins = (role: LoadedRole | undefined): Role | undefined =>
  role === "moderator" ? "admin" : role;

const roleApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The role of the user with this email, by three lookups, of which exactly one is true. */
    roleOf: build.query<LoadedRole, string>({
      queryFn: async (email, _store, _extra, call) => {
        const address = encodeURIComponent(email);
        const results = await Promise.all([
          call(`/users/admin/${address}`),
          call(`/users/seller/${address}`),
          call(`/users/buyer/${address}`),
        ]);
        for (const { error } of results) if (error) return { error };
        const [admin, seller] = results.map(({ data }) => data as RoleAnswer);
        if (admin?.isAdmin) return { data: admin.isModerator ? "moderator" : "admin" };
        return { data: seller?.isSeller ? "seller" : "buyer" };
      },
      providesTags: ["Role"],
    }),
    /** Whether the seller with this email is verified; the live event seller.verified changes it. */
    isVerified: build.query<boolean, string>({
      query: (email) => `/users/verified/${encodeURIComponent(email)}`,
      transformResponse: (result: { isVerified: boolean }) => result.isVerified,
      providesTags: ["Role"],
    }),
  }),
});

const { useRoleOfQuery, useIsVerifiedQuery } = roleApi;
const { roleOf } = roleApi.endpoints;

/** Writes into the cache whether the seller with this email is verified. */
export const sellerVerified = (email: string, value: boolean) =>
  roleApi.util.upsertQueryEntries([{ endpointName: "isVerified", arg: email, value }]);

/** Refetches the role and the verified flag, if a screen uses them. */
export const refetchRole = () => roleApi.util.invalidateTags(["Role"]);

type State = SessionRoot & Parameters<ReturnType<typeof roleOf.select>>[0];

/** The selector of the signed-in user's role; created once, because each card of a list uses it at each change. */
const selectOwnRoleSelector = createSelector([selectMe], (me) => roleOf.select(me?.email ?? ""));

const useLoadedRole = () => useSelector((state: State) => selectOwnRoleSelector(state)(state).data);

/** The signed-in user's role, if it is loaded. */
export function useKnownRole(): Role | undefined {
  return roleOfAdmins(useLoadedRole());
}

/** Whether the signed-in admin is a moderator, who does not see orders or handle money. */
export function useIsModerator(): boolean {
  return useLoadedRole() === "moderator";
}

/** Whether to show the booking button. Visitors see it too; it leads them to the login. */
export function useMayBook(): boolean {
  const role = useKnownRole();
  return role !== "admin";
}

/** The role, and the state of its queries. */
interface RoleState {
  role: Role | undefined;
  /** True for verified sellers only; live. */
  isVerified: boolean;
  isLoading: boolean;
  error: ApiError | undefined;
  retry: () => void;
}

/** The signed-in user's role and verified flag. */
export function useRole(): RoleState {
  const email = useSelector(selectMe)?.email;
  const role = useRoleOfQuery(email ?? "", { skip: !email });
  const verified = useIsVerifiedQuery(email ?? "", { skip: role.data !== "seller" || !email });
  const error = (role.error ?? verified.error) as ApiError | undefined;
  return {
    role: email ? roleOfAdmins(role.data) : undefined,
    isVerified: role.data === "seller" && verified.data === true,
    isLoading: role.isLoading || verified.isLoading,
    error,
    retry: () => {
      if (role.isError) void role.refetch();
      if (verified.isError) void verified.refetch();
    },
  };
}
