import { createSlice, type Middleware, type PayloadAction } from "@reduxjs/toolkit";

/** The name the spec gives the token in local storage. */
export const TOKEN_KEY = "accessToken";

/** What the client knows of its own session. */
export interface SessionState {
  /** The bearer of every call but the identity provider's; null when signed out. */
  accessToken: string | null;
  /** Why the session was ended for the user, to be told once; null when they did it themselves. */
  farewell: string | null;
}

function storedToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    // Storage can be switched off in the browser; the token then lives as long as the page.
    return null;
  }
}

const slice = createSlice({
  name: "session",
  initialState: (): SessionState => ({ accessToken: storedToken(), farewell: null }),
  reducers: {
    /** A new access token, at sign-in or renewed before the old one ends. */
    tokenReceived: (state, { payload }: PayloadAction<string>) => {
      state.accessToken = payload;
      state.farewell = null;
    },
    /** The session is over; the payload says why when it was not the user's wish. */
    loggedOut: (state, { payload }: PayloadAction<string | undefined>) => {
      state.accessToken = null;
      state.farewell = payload ?? null;
    },
  },
});

export const { tokenReceived, loggedOut } = slice.actions;
export const sessionReducer = slice.reducer;

/** The part of the store that the api needs. */
export interface SessionRoot {
  session: SessionState;
}

/** The access token, or null when signed out. */
export const selectAccessToken = (state: SessionRoot): string | null => state.session.accessToken;
/** Why the session was ended, or null. */
export const selectFarewell = (state: SessionRoot): string | null => state.session.farewell;

/** Keeps the token in local storage as the session changes. */
export const sessionMiddleware: Middleware = () => (next) => (action) => {
  const result = next(action);
  try {
    if (tokenReceived.match(action)) localStorage.setItem(TOKEN_KEY, action.payload);
    else if (loggedOut.match(action)) localStorage.removeItem(TOKEN_KEY);
  } catch {
    // Storage can be switched off; nothing else depends on it.
  }
  return result;
};
