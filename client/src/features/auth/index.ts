/** The parts of the sign-in that `app` uses. */
export { authReducer, selectSignedOutByUser } from "./authSlice";
export { authMiddleware, dropExpiredToken } from "./middleware";
export { type AuthDispatch, checkSession, loadSession, renewToken } from "./sessionThunks";
export { useAuth, useSignOut } from "./useAuth";
