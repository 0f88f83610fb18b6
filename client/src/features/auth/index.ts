/** The parts of the sign-in that `app` uses. */
export {
  type AuthDispatch,
  checkSession,
  loadSession,
  renewDueToken,
  renewToken,
  sessionMiddleware,
} from "./sessionThunks";
export { useAuth, useSignOut } from "./useAuth";
