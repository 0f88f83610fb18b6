import { createSelector } from "@reduxjs/toolkit";
import { useSelector } from "react-redux";
import { api } from "./api";
import type { ApiError } from "./errors";
import { type MeRoot, selectMe } from "./me";
import type { Role } from "./types";

const roleApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The role of the user with this e-mail, by the three lookups of spec section 6; exactly one of them is true. */
    roleOf: build.query<Role, string>({
      queryFn: async (email, _store, _extra, call) => {
        const address = encodeURIComponent(email);
        const answers = await Promise.all([
          call(`/users/admin/${address}`),
          call(`/users/seller/${address}`),
          call(`/users/buyer/${address}`),
        ]);
        for (const { error } of answers) if (error) return { error };
        const [admin, seller] = answers.map(({ data }) => data as { isAdmin?: boolean; isSeller?: boolean });
        if (admin?.isAdmin) return { data: "admin" };
        return { data: seller?.isSeller ? "seller" : "buyer" };
      },
      providesTags: ["Role"],
    }),
    /** Whether an admin has verified this seller; the live event seller.verified changes it. */
    isVerified: build.query<boolean, string>({
      query: (email) => `/users/verified/${encodeURIComponent(email)}`,
      transformResponse: (answer: { isVerified: boolean }) => answer.isVerified,
      providesTags: ["Role"],
    }),
  }),
});

export const { useRoleOfQuery, useIsVerifiedQuery } = roleApi;
/** Fetches a role before a screen needs it. */
export const { roleOf } = roleApi.endpoints;

/** Writes into the cache whether the seller with this e-mail is verified. */
export const sellerVerified = (email: string, value: boolean) =>
  roleApi.util.upsertQueryEntries([{ endpointName: "isVerified", arg: email, value }]);

/** Refetches the role and the verified flag where a screen uses them. */
export const refetchRole = () => roleApi.util.invalidateTags(["Role"]);

type State = MeRoot & Parameters<ReturnType<typeof roleOf.select>>[0];

/** The selector of the signed-in user's role; made once, because each card of a list uses it at each change. */
const selectorOfMine = createSelector([selectMe], (me) => roleOf.select(me?.email ?? ""));

/** The signed-in user's role as far as it is known; for parts of a screen that has loaded it. */
export function useKnownRole(): Role | undefined {
  return useSelector((state: State) => selectorOfMine(state)(state).data);
}

/** Whether to offer a booking. Visitors are offered it too, and led to the login. */
export function useMayBook(): boolean {
  const role = useKnownRole();
  return role === undefined || role === "buyer";
}

/** What the signed-in user may do. */
export interface RoleState {
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
    role: email ? role.data : undefined,
    isVerified: role.data === "seller" && verified.data === true,
    isLoading: role.isLoading || verified.isLoading,
    error,
    retry: () => {
      if (role.isError) void role.refetch();
      if (verified.isError) void verified.refetch();
    },
  };
}
