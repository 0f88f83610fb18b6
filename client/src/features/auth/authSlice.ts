import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { loggedOut } from "@/api/session";
import type { SignedInUser } from "@/api/types";
import { isVisitorPage } from "./visitorPage";

/** Whether somebody is signed in: not known yet, yes, no, or not to be found out (the server is away). */
export interface AuthState {
  phase: "starting" | "in" | "out" | "failed";
  /** Set exactly while the phase is "in". */
  user: SignedInUser | null;
  /** They signed out themselves, so the next sign-in starts at Home and not where they were. */
  wished: boolean;
}

/** A visitor is known to be one before anything is drawn. */
const initialState = (): AuthState => ({
  phase: isVisitorPage() ? "out" : "starting",
  user: null,
  wished: false,
});

const slice = createSlice({
  name: "auth",
  initialState,
  reducers: {
    starting: (state) => {
      state.phase = "starting";
    },
    entered: (_, { payload }: PayloadAction<SignedInUser>) => ({
      phase: "in" as const,
      user: payload,
      wished: false,
    }),
    /** Nobody is signed in here; the payload says whether the user wanted that. */
    left: (_, { payload }: PayloadAction<boolean>) => ({
      phase: "out" as const,
      user: null,
      wished: payload,
    }),
    failed: () => ({ phase: "failed" as const, user: null, wished: false }),
  },
  extraReducers: (builder) => {
    builder.addCase(loggedOut, (state) => ({ phase: "out", user: null, wished: state.wished }));
  },
});

/** What the session thunks report. */
export const authActions = slice.actions;
/** Mounted as `auth`. */
export const authReducer = slice.reducer;

/** The part of the store that the selectors need. */
export interface AuthRoot {
  auth: AuthState;
}

/** Who is signed in, or null; other features ask `useMe` of @/api/me. */
export const selectUser = (state: AuthRoot): SignedInUser | null => state.auth.user;
/** How far we are in finding out. */
export const selectPhase = (state: AuthRoot): AuthState["phase"] => state.auth.phase;
/** See AuthState.wished. */
export const selectWished = (state: AuthRoot): boolean => state.auth.wished;
