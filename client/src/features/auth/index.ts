/** What app needs of signing in. */
export { type AuthRoot, authReducer, selectUser, selectWished } from "./authSlice";
export { SessionKeeper } from "./SessionKeeper";
export { type AuthDispatch, authMiddleware, doubt, dropExpiredToken, renew, signOut, start } from "./session";
export { useAuth, useSignOut } from "./useAuth";
