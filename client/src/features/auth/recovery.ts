import { linkApi } from "@/api/api";
import type { SignedInUser } from "@/api/types";

/** The calls of links: a new password, a confirmed address, the first admin. */
const recovery = linkApi.injectEndpoints({
  endpoints: (build) => ({
    /** Sends a link to choose a new password; the response is the same without an account. */
    forgotPassword: build.mutation<null, { email: string }>({
      query: (body) => ({ url: "/identity/forgot", method: "POST", body }),
    }),
    /** Sets a password by a link, and ends all sessions; 410 if the link can't be used. */
    resetPassword: build.mutation<null, { token: string; password: string }>({
      query: (body) => ({ url: "/identity/reset", method: "POST", body }),
    }),
    /** Confirms an email address by a link; 410 if the link can't be used. */
    verifyEmail: build.mutation<null, { token: string }>({
      query: (body) => ({ url: "/identity/verify", method: "POST", body }),
    }),
    /** Makes the first admin of a new market and signs in; 410 if the link can't be used. */
    makeFirstAdmin: build.mutation<
      SignedInUser,
      { token: string; email: string; password: string; displayName: string }
    >({
      query: (body) => ({ url: "/identity/first-admin", method: "POST", body }),
    }),
  }),
});

export const {
  useForgotPasswordMutation,
  useMakeFirstAdminMutation,
  useResetPasswordMutation,
  useVerifyEmailMutation,
} = recovery;
