import { loggedOut } from "@/api/session";
import { formDraft } from "@/api/tabKept";
import { authActions } from "./authSlice";
import type { AuthDispatch } from "./session";

export type { AuthDispatch } from "./session";

/** The thunks of session.ts, whose code comes after the first screen: a visitor seldom needs it. */
const session = () => import("./session");

/** A new token in place of one about to end; a failure is left to the next try. */
export const renew = (dispatch: AuthDispatch): Promise<void> =>
  session().then(
    (code) => dispatch(code.renew()),
    () => undefined,
  );

/** A call was refused for its token: a session that no longer stands ends here too, with a word. */
export const doubt = async (dispatch: AuthDispatch): Promise<void> => dispatch((await session()).doubt());

/** Tells the server that its session is over. Resolves to false when it could not be told. */
export const tellServer = (dispatch: AuthDispatch): Promise<boolean> =>
  session().then(
    (code) => dispatch(code.tellServer()),
    () => false,
  );

/** Signs out here, at once, and at the server. Resolves to false when the server could not be told. */
export function signOut(dispatch: AuthDispatch): Promise<boolean> {
  formDraft.write(null);
  dispatch(authActions.left(true));
  dispatch(loggedOut());
  return tellServer(dispatch);
}
