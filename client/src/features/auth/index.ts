/** What app needs of signing in. */
export { type AuthRoot, authReducer, selectUser, selectWished } from "./authSlice";
export { authMiddleware, dropExpiredToken } from "./middleware";
export { type AuthDispatch, checkSession, renewToken } from "./session";
export { useAuth, useSignOut } from "./useAuth";
