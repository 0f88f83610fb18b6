import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { loggedOut } from "@/api/sessionSlice";
import type { SignedInUser } from "@/api/types";
import { isVisitorPage } from "./visitorPage";

/** The state of the session. The phase is "failed" while the server cannot be reached. */
interface AuthState {
  phase: "starting" | "in" | "out" | "failed";
  /** Set exactly while the phase is "in". */
  user: SignedInUser | null;
  /** Whether the user signed out. Then the next sign-in leads to Home, not to the previous screen. */
  signedOutByUser: boolean;
}

/**
 * The page of a visitor says so in its HTML, so the phase is known at the first render, unless another tab has signed in
 * since.
 */
const initialState = (): AuthState => ({
  phase: isVisitorPage() ? "out" : "starting",
  user: null,
  signedOutByUser: false,
});

const slice = createSlice({
  name: "auth",
  initialState,
  reducers: {
    starting: (state) => {
      state.phase = "starting";
    },
    userLoaded: (_, { payload }: PayloadAction<SignedInUser>) => ({
      phase: "in" as const,
      user: payload,
      signedOutByUser: false,
    }),
    /** The payload is signedOutByUser. */
    signedOut: (_, { payload }: PayloadAction<boolean>) => ({
      phase: "out" as const,
      user: null,
      signedOutByUser: payload,
    }),
    failed: () => ({ phase: "failed" as const, user: null, signedOutByUser: false }),
  },
  extraReducers: (builder) => {
    builder.addCase(loggedOut, (state) => ({
      phase: "out",
      user: null,
      signedOutByUser: state.signedOutByUser,
    }));
  },
});

/** The actions that the session thunks dispatch. */
export const authActions = slice.actions;
/** Mounted as `auth`. */
export const authReducer = slice.reducer;

/** The part of the store that the selectors need. */
export interface AuthRoot {
  auth: AuthState;
}

/** The signed-in user, or null. Other features use `useMe` of @/api/me. */
export const selectUser = (state: AuthRoot): SignedInUser | null => state.auth.user;
/** The phase of the session. */
export const selectPhase = (state: AuthRoot): AuthState["phase"] => state.auth.phase;
/** See AuthState.signedOutByUser. */
export const selectSignedOutByUser = (state: AuthRoot): boolean => state.auth.signedOutByUser;
