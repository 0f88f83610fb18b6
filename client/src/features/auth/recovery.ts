import { api } from "@/api/api";

/** The calls of the links in emails: a new password, and a confirmed address. */
const recovery = api.injectEndpoints({
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
  }),
});

export const { useForgotPasswordMutation, useResetPasswordMutation, useVerifyEmailMutation } = recovery;
