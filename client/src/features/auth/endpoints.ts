import { api } from "@/api/api";
import type { Acknowledged, SignedInUser, User } from "@/api/types";

interface Credentials {
  email: string;
  password: string;
}

/** The calls of the server's identity provider (api/identity), and those that create the market's user and token. */
const identity = api.injectEndpoints({
  endpoints: (build) => ({
    /** The user of the session cookie; 401 without one. */
    me: build.query<SignedInUser, void>({ query: () => "/identity/me" }),
    signIn: build.mutation<SignedInUser, Credentials>({
      query: (body) => ({ url: "/identity/sign-in", method: "POST", body }),
    }),
    /** Finishes a sign-in that takes a code; 401 once the time for it is over. */
    enterCode: build.mutation<SignedInUser, { code: string }>({
      query: (body) => ({ url: "/identity/second-factor", method: "POST", body }),
    }),
    signUp: build.mutation<SignedInUser, Credentials & { displayName: string; key: string }>({
      query: (body) => ({ url: "/identity/sign-up", method: "POST", body }),
    }),
    signOut: build.mutation<null, void>({
      query: () => ({ url: "/identity/sign-out", method: "POST" }),
    }),
    /** Confirms a password account before Google is linked to it; 401 on a wrong password. */
    linkGoogle: build.mutation<{ user: SignedInUser; returnTo: string }, { password: string }>({
      query: (body) => ({ url: "/identity/google/link", method: "POST", body }),
    }),
    /** Creates the market's user for the signed-in account, or makes a buyer a seller. Idempotent. */
    createUser: build.mutation<Acknowledged, Pick<User, "name" | "email" | "accountType">>({
      query: (body) => ({ url: "/users", method: "POST", body }),
      invalidatesTags: ["Role"],
    }),
    /** An access token for the session's own email; 403 with code no_user before createUser. */
    token: build.query<{ accessToken: string }, string>({
      query: (email) => `/jwt?email=${encodeURIComponent(email)}`,
    }),
  }),
});

export const {
  useCreateUserMutation,
  useEnterCodeMutation,
  useLinkGoogleMutation,
  useSignInMutation,
  useSignUpMutation,
} = identity;
/** For the thunks of sessionThunks.ts. */
export const { createUser, me, signOut, token } = identity.endpoints;
