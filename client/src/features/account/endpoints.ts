import { api } from "@/api/api";
import type {
  DeleteAccountBody,
  DeviceSession,
  NewSecondFactor,
  PersonData,
  SignedInUser,
} from "@/api/types";

/** The form of what a person may change of their account. */
export interface ProfileValues {
  displayName: string;
  phone: string;
  location: string;
}

const account = api.injectEndpoints({
  endpoints: (build) => ({
    /** All data that is stored about the signed-in user. */
    myData: build.query<PersonData, void>({ query: () => "/identity/data", keepUnusedDataFor: 0 }),
    /** Deletes the signed-in user's account. */
    deleteAccount: build.mutation<null, DeleteAccountBody>({
      query: (body) => ({ url: "/identity/leave", method: "POST", body }),
    }),
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
    /** Changes the person's name, what forms begin with, and the picture; without a URL it is removed. */
    changeProfile: build.mutation<SignedInUser, ProfileValues | { photoURL: string }>({
      query: (body) => ({ url: "/identity/me", method: "PATCH", body }),
    }),
    /** Forgets the address for the next order. */
    forgetAddress: build.mutation<null, void>({
      query: () => ({ url: "/identity/me", method: "PATCH", body: { forgetAddress: true } }),
    }),
    /** Unlinks the Google account, and signs all other browsers out. */
    unlinkGoogle: build.mutation<null, { password?: string }>({
      query: (body) => ({ url: "/identity/google", method: "DELETE", body }),
      invalidatesTags: ["Sessions"],
    }),
    /** Creates the secret for an authenticator app; it takes effect after it is confirmed. */
    startSecondFactor: build.mutation<NewSecondFactor, { password?: string }>({
      query: (body) => ({ url: "/identity/second-factor/start", method: "POST", body }),
    }),
    /** Switches the second factor on with a code of the app, and signs all other browsers out. */
    confirmSecondFactor: build.mutation<{ recoveryCodes: string[] }, { code: string }>({
      query: (body) => ({ url: "/identity/second-factor/confirm", method: "POST", body }),
      invalidatesTags: ["Sessions"],
    }),
    /** Switches the second factor off, and signs all other browsers out. */
    stopSecondFactor: build.mutation<null, { password?: string }>({
      query: (body) => ({ url: "/identity/second-factor/stop", method: "POST", body }),
      invalidatesTags: ["Sessions"],
    }),
  }),
});

export const {
  useForgetAddressMutation,
  useMyDataQuery,
  useDeleteAccountMutation,
  useSessionsQuery,
  useEndSessionMutation,
  useEndOtherSessionsMutation,
  useChangePasswordMutation,
  useChangeEmailMutation,
  useChangeProfileMutation,
  useUnlinkGoogleMutation,
  useStartSecondFactorMutation,
  useConfirmSecondFactorMutation,
  useStopSecondFactorMutation,
} = account;
