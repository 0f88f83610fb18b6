import { createSlice, type Middleware, type PayloadAction } from "@reduxjs/toolkit";
import { safeLocalStorage } from "@/lib/safeLocalStorage";

/** The key of the token in local storage; named by the spec. */
export const TOKEN_KEY = "accessToken";

/** The session slice. */
interface SessionState {
  /** The bearer token of every call except those of the identity provider; null when signed out. */
  accessToken: string | null;
  /** The message that says why the session ended; null if the user signed out. */
  endReason: string | null;
  /** The message to show if the session ends because its user deletes the account; null if no deletion is under way. */
  deletionNotice: string | null;
}

function setToken(state: SessionState, { payload }: PayloadAction<string>) {
  state.accessToken = payload;
  state.endReason = null;
}

const slice = createSlice({
  name: "session",
  // If storage is disabled in the browser, the token is kept until the page is closed.
  initialState: (): SessionState => ({
    accessToken: safeLocalStorage.get(TOKEN_KEY),
    endReason: null,
    deletionNotice: null,
  }),
  reducers: {
    /** A new access token, at sign-in or renewed before the old one ends. */
    tokenReceived: setToken,
    /** The token that another tab has stored. This tab does not store it again. */
    tokenStoredElsewhere: setToken,
    /** Set before the account is deleted: the server may end the session before it responds. Null after a failure. */
    deletionNoticeSet: (state, { payload }: PayloadAction<string | null>) => {
      state.deletionNotice = payload;
    },
    /** The session has ended; the payload is the reason, unless the user signed out. */
    loggedOut: (state, { payload }: PayloadAction<string | undefined>) => {
      state.accessToken = null;
      state.endReason = state.deletionNotice ?? payload ?? null;
    },
  },
});

export const { tokenReceived, tokenStoredElsewhere, deletionNoticeSet, loggedOut } = slice.actions;
export const sessionReducer = slice.reducer;

/** The part of the state that the api needs. */
export interface SessionRoot {
  session: SessionState;
}

/** The access token, or null when signed out. */
export const selectAccessToken = (state: SessionRoot): string | null => state.session.accessToken;
/** The message that says why the session ended, or null. */
export const selectEndReason = (state: SessionRoot): string | null => state.session.endReason;

/**
 * Whether local storage holds the token of this tab. It does not after another tab has signed in, renewed the token or
 * signed out, until the browser tells this tab; a tab that was suspended is told when it runs again. True if storage is
 * disabled.
 */
export const ownsStoredToken = (state: SessionRoot): boolean => {
  try {
    return localStorage.getItem(TOKEN_KEY) === selectAccessToken(state);
  } catch {
    return true;
  }
};

/** Writes the token of this tab to local storage, and removes it there when the session ends. */
export const sessionMiddleware: Middleware = (store) => (next) => (action) => {
  const removesToken = loggedOut.match(action) && ownsStoredToken(store.getState() as SessionRoot);
  const result = next(action);
  if (tokenReceived.match(action)) safeLocalStorage.set(TOKEN_KEY, action.payload);
  else if (removesToken) safeLocalStorage.set(TOKEN_KEY, null);
  return result;
};
