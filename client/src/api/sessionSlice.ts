import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { expiresWithin } from "@/lib/accessToken";
import { safeLocalStorage } from "@/lib/safeLocalStorage";
import type { SignedInUser } from "./types";
import { isVisitorPage } from "./visitorPage";

/** The key of the token in local storage; named by the spec. */
export const TOKEN_KEY = "accessToken";
/** The key of local storage for the end of the last session, by which the other tabs learn of it. */
const END_KEY = "sessionEnd";

/** How and why a session ended. */
export interface SessionEnd {
  /**
   * person: signed out in this browser. server: the server ended it, and said so. expired: the server does not know the
   * session any more. removed: the account was deleted. Only a sign-out by the person deletes form drafts.
   */
  by: "person" | "server" | "expired" | "removed";
  /** The message that says why; absent if there is nothing to say. */
  reason?: string;
}

/** The session of this page. The phase is "failed" while the server cannot be reached. */
interface SessionState {
  phase: "starting" | "in" | "out" | "failed";
  /** Set exactly while the phase is "in". */
  user: SignedInUser | null;
  /** The bearer token of every call except those of the identity provider; null when signed out. */
  accessToken: string | null;
  /** How the last session ended; null since the next sign-in. */
  end: SessionEnd | null;
}

/** Sending a token that expired while the page was closed would end a session that is still valid. */
function storedToken(): string | null {
  const token = safeLocalStorage.get(TOKEN_KEY);
  return token !== null && expiresWithin(token, 5000) ? null : token;
}

function setToken(state: SessionState, { payload }: PayloadAction<string>) {
  state.accessToken = payload;
  state.end = null;
}

const slice = createSlice({
  name: "session",
  // The page of a visitor says so in its HTML, so the phase is known at the first render. If storage is disabled in the
  // browser, the token is kept until the page is closed.
  initialState: (): SessionState => ({
    phase: isVisitorPage() ? "out" : "starting",
    user: null,
    accessToken: storedToken(),
    end: null,
  }),
  reducers: {
    /** The session is being requested from the server. */
    sessionRequested: (state) => {
      state.phase = "starting";
    },
    /** The session was requested, and the server could not be reached. */
    sessionUnknown: (state) => {
      state.phase = "failed";
      state.user = null;
    },
    userLoaded: (state, { payload }: PayloadAction<SignedInUser>) => {
      state.phase = "in";
      state.user = payload;
    },
    /** A new access token, at sign-in or renewed before the old one ends. */
    tokenReceived: setToken,
    /** The token that another tab has stored. This tab does not store it again. */
    tokenStoredElsewhere: setToken,
    /** There is no session; null if there was none before. */
    sessionEnded: (_, { payload }: PayloadAction<SessionEnd | null>) => ({
      phase: "out" as const,
      user: null,
      accessToken: null,
      end: payload,
    }),
  },
});

export const {
  sessionRequested,
  sessionUnknown,
  userLoaded,
  tokenReceived,
  tokenStoredElsewhere,
  sessionEnded,
} = slice.actions;
export const sessionReducer = slice.reducer;

/** The part of the state that the selectors need. */
export interface SessionRoot {
  session: SessionState;
}

/** The signed-in user, or null. */
export const selectMe = (state: SessionRoot): SignedInUser | null => state.session.user;
/** The phase of the session. */
export const selectPhase = (state: SessionRoot): SessionState["phase"] => state.session.phase;
/** The access token, or null when signed out. */
export const selectAccessToken = (state: SessionRoot): string | null => state.session.accessToken;
/** The message that says why the session ended, or null. */
export const selectEndReason = (state: SessionRoot): string | null => state.session.end?.reason ?? null;
/** Whether the session was ended by anybody but the person: what they were doing is kept. */
export const selectWasInterrupted = ({ session: { end } }: SessionRoot): boolean =>
  end !== null && end.by !== "person";
/** Whether the next sign-in leads to Home, and not to the previous screen. */
export const selectLeavesForGood = ({ session: { end } }: SessionRoot): boolean => end?.by === "person";

/**
 * Whether local storage holds the token of this tab, or one that nobody can use. It does not after another tab has signed
 * in, renewed the token or signed out, until the browser tells this tab; a tab that was suspended is told when it runs
 * again. True if storage is disabled.
 */
export function ownsStoredToken(state: SessionRoot): boolean {
  try {
    const stored = localStorage.getItem(TOKEN_KEY);
    return stored === selectAccessToken(state) || (stored !== null && expiresWithin(stored, 0));
  } catch {
    return true;
  }
}

/** Stores the token for this and the other tabs. */
export function shareToken(token: string): void {
  safeLocalStorage.set(END_KEY, null);
  safeLocalStorage.set(TOKEN_KEY, token);
}

/** Removes the token, and tells the other tabs how the session ended. */
export function shareEnd(end: SessionEnd | null): void {
  // First: the other tabs read it when they see that the token is gone.
  safeLocalStorage.set(END_KEY, end && JSON.stringify(end));
  safeLocalStorage.set(TOKEN_KEY, null);
}

/** How another tab ended the session; null if no tab did. */
export function readSharedEnd(): SessionEnd | null {
  try {
    return JSON.parse(safeLocalStorage.get(END_KEY) ?? "null") as SessionEnd | null;
  } catch {
    return null;
  }
}
