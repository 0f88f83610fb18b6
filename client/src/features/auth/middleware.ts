import type { Middleware } from "@reduxjs/toolkit";
import { api } from "@/api/api";
import { cacheEmbeddedConfig } from "@/api/config";
import { loggedOut, ownsStoredToken, type SessionRoot, TOKEN_KEY } from "@/api/sessionSlice";
import { expiresWithin } from "@/lib/accessToken";
import { safeLocalStorage } from "@/lib/safeLocalStorage";
import type { AuthRoot } from "./authSlice";
import { type AuthDispatch, endServerSession } from "./sessionThunks";

/** Deletes a token that expired while the page was closed: sending it would end a session that is still valid. */
export function dropExpiredToken(now = Date.now()): void {
  if (expiresWithin(safeLocalStorage.get(TOKEN_KEY) ?? "", 5000, now)) safeLocalStorage.set(TOKEN_KEY, null);
}

/** Clears the cache when the session ends. If the server ended it (401, 403), ends the identity session too. */
export const authMiddleware: Middleware = (store) => (next) => (action) => {
  if (!loggedOut.match(action)) return next(action);
  const before = store.getState() as AuthRoot & SessionRoot;
  // After a sign-out in this or another tab the server knows already. After a sign-in in another tab the cookie is of the
  // new session.
  const endsServerSession = before.auth.phase !== "out" && ownsStoredToken(before);
  const result = next(action);
  // The next user must not see this user's data. The settings are the same for all.
  store.dispatch(api.util.resetApiState());
  cacheEmbeddedConfig(store.dispatch);
  if (endsServerSession) void (store.dispatch as AuthDispatch)(endServerSession());
  return result;
};
