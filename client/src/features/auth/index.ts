/** The parts of the sign-in that `app` uses. */
export { type AuthRoot, authReducer, selectSignedOutByUser, selectUser } from "./authSlice";
export { authMiddleware, dropExpiredToken } from "./middleware";
export { type AuthDispatch, checkSession, loadSession, renewToken } from "./sessionThunks";
export { useAuth, useSignOut } from "./useAuth";
