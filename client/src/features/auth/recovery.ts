import { linkApi } from "@/api/api";
import { toApiError } from "@/api/errors";
import type { Modified, SignedInUser } from "@/api/types";

/** Whether the error says that a link can't be used: it was used, replaced, has expired, or is not complete. */
export function isGone(error: unknown): boolean {
  if (!error) return false;
  const { status, fields } = toApiError(error);
  return status === 410 || fields?.token !== undefined;
}

/** The calls of links: a new password, a confirmed address, the first admin. */
const recovery = linkApi.injectEndpoints({
  endpoints: (build) => ({
    /** Sends a link to choose a new password; the response is the same without an account. */
    forgotPassword: build.mutation<null, { email: string }>({
      query: (body) => ({ url: "/identity/forgot", method: "POST", body }),
    }),
    /** Whether a form's link can't be used. The token alone changes nothing: 422 if the link is good, 410 if not. */
    isLinkGone: build.query<boolean, { url: "/identity/reset" | "/identity/first-admin"; token: string }>({
      queryFn: async ({ url, token }, _api, _options, baseQuery) => {
        const { error } = await baseQuery({ url, method: "POST", body: { token } });
        return { data: isGone(error) };
      },
      keepUnusedDataFor: 0,
    }),
    /** Sets a password by a link, and ends all sessions; 410 if the link can't be used. */
    resetPassword: build.mutation<null, { token: string; password: string }>({
      query: (body) => ({ url: "/identity/reset", method: "POST", body }),
    }),
    /** Does what the link of an email is for; again without effect after its use. 410 if it can't be used. */
    verifyEmail: build.mutation<null, { token: string }>({
      query: (body) => ({ url: "/identity/verify", method: "POST", body }),
    }),
    /** Asks to look again at a decision, by the token of its letter; 410 if it was used or is too old. */
    appeal: build.mutation<Modified, { token: string; text: string }>({
      query: (body) => ({ url: "/decisions/appeal", method: "POST", body }),
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
  useAppealMutation,
  useForgotPasswordMutation,
  useIsLinkGoneQuery,
  useMakeFirstAdminMutation,
  useResetPasswordMutation,
  useVerifyEmailMutation,
} = recovery;
