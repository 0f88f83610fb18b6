import { api } from "@/api/api";
import type { DeviceSession } from "@/api/types";

const sessions = api.injectEndpoints({
  endpoints: (build) => ({
    /** Where the user is signed in; this browser is first. */
    sessions: build.query<DeviceSession[], void>({
      query: () => "/identity/sessions",
      providesTags: ["Sessions"],
      keepUnusedDataFor: 0,
    }),
    /** Signs one browser out. */
    endSession: build.mutation<null, string>({
      query: (id) => ({ url: `/identity/sessions/${id}`, method: "DELETE" }),
      invalidatesTags: ["Sessions"],
    }),
    /** Signs all other browsers out. */
    endOtherSessions: build.mutation<null, void>({
      query: () => ({ url: "/identity/sessions", method: "DELETE" }),
      invalidatesTags: ["Sessions"],
    }),
    /** Changes the password, and signs all other browsers out; an account of Google may have no current one. */
    changePassword: build.mutation<null, { current?: string; new: string }>({
      query: (body) => ({ url: "/identity/password", method: "POST", body }),
      invalidatesTags: ["Sessions"],
    }),
    /** Sends a link to another email address; the account changes to it when the link is opened. */
    changeEmail: build.mutation<null, { email: string; password?: string }>({
      query: (body) => ({ url: "/identity/email", method: "POST", body }),
    }),
  }),
});

export const {
  useSessionsQuery,
  useEndSessionMutation,
  useEndOtherSessionsMutation,
  useChangePasswordMutation,
  useChangeEmailMutation,
} = sessions;
