/** What app needs of signing in. */
export { type AuthRoot, authReducer, selectUser, selectWished } from "./authSlice";
export { type AuthDispatch, doubt, renew } from "./lazySession";
export { authMiddleware, dropExpiredToken } from "./middleware";
export { useAuth, useSignOut } from "./useAuth";
