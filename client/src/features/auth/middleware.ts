import type { Middleware } from "@reduxjs/toolkit";
import { api } from "@/api/api";
import { cacheEmbeddedConfig } from "@/api/config";
import { loggedOut, TOKEN_KEY } from "@/api/session";
import { expiresWithin } from "@/lib/live/token";
import type { AuthRoot } from "./authSlice";
import { safeLocalStorage } from "./localStorage";
import { type AuthDispatch, tellServer } from "./session";

/** Drops a token that expired while the page was closed: if it were sent, it would end a session that is still valid. */
export function dropExpiredToken(now = Date.now()): void {
  if (expiresWithin(safeLocalStorage.get(TOKEN_KEY) ?? "", 5000, now)) safeLocalStorage.set(TOKEN_KEY, null);
}

/** Clears the cache when the session is over; of one who was thrown out (401, 403), ends the identity session too. */
export const authMiddleware: Middleware = (store) => (next) => (action) => {
  if (!loggedOut.match(action)) return next(action);
  const { phase } = (store.getState() as AuthRoot).auth;
  const result = next(action);
  // One user's answers must not be shown to the next; the settings are everybody's.
  store.dispatch(api.util.resetApiState());
  cacheEmbeddedConfig(store.dispatch);
  // Who left by themselves, here or in another tab, has told the server already.
  if (phase !== "out") void (store.dispatch as AuthDispatch)(tellServer());
  return result;
};
