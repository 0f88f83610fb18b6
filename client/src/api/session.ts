import { createSlice, type Middleware, type PayloadAction } from "@reduxjs/toolkit";

/** The name the spec gives the token in local storage. */
export const TOKEN_KEY = "accessToken";

/** The client's session. */
export interface SessionState {
  /** The bearer of every call but the identity provider's; null when signed out. */
  accessToken: string | null;
  /** The message that says why the session ended; null when the user signed out. */
  farewell: string | null;
  /** The message for a session that ends because its user is deleting the account; null otherwise. */
  leaving: string | null;
}

function storedToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    // Storage can be disabled in the browser; the token then lasts as long as the page.
    return null;
  }
}

const slice = createSlice({
  name: "session",
  initialState: (): SessionState => ({ accessToken: storedToken(), farewell: null, leaving: null }),
  reducers: {
    /** A new access token, at sign-in or renewed before the old one ends. */
    tokenReceived: (state, { payload }: PayloadAction<string>) => {
      state.accessToken = payload;
      state.farewell = null;
    },
    /** The user asks to delete the account: the server may end the session before it answers. Null: it did not. */
    leaving: (state, { payload }: PayloadAction<string | null>) => {
      state.leaving = payload;
    },
    /** The session has ended; the payload is the reason, unless the user signed out. */
    loggedOut: (state, { payload }: PayloadAction<string | undefined>) => {
      state.accessToken = null;
      state.farewell = state.leaving ?? payload ?? null;
    },
  },
});

export const { tokenReceived, leaving, loggedOut } = slice.actions;
export const sessionReducer = slice.reducer;

/** The part of the store that the api needs. */
export interface SessionRoot {
  session: SessionState;
}

/** The access token, or null when signed out. */
export const selectAccessToken = (state: SessionRoot): string | null => state.session.accessToken;
/** Why the session was ended, or null. */
export const selectFarewell = (state: SessionRoot): string | null => state.session.farewell;

/** Writes the token to local storage when the session changes. */
export const sessionMiddleware: Middleware = () => (next) => (action) => {
  const result = next(action);
  try {
    if (tokenReceived.match(action)) localStorage.setItem(TOKEN_KEY, action.payload);
    else if (loggedOut.match(action)) localStorage.removeItem(TOKEN_KEY);
  } catch {
    // Storage can be disabled; nothing else depends on it.
  }
  return result;
};
