/** The parts of the sign-in that `app` uses. */
export { type AuthDispatch, callRefused, checkSession, sessionMiddleware } from "./sessionEnd";
export { loadSession, renewDueToken, renewToken } from "./sessionThunks";
export { useAuth, useSignOut } from "./useAuth";
