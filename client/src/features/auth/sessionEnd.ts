import type { Middleware, ThunkAction, ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import { type ApiRoot, api } from "@/api/api";
import type { Refusal } from "@/api/baseQuery";
import { cacheEmbeddedConfig } from "@/api/config";
import type { ApiError } from "@/api/errors";
import { refetchRole } from "@/api/role";
import {
  ownsStoredToken,
  type SessionEnd,
  type SessionRoot,
  selectAccessToken,
  selectPhase,
  sessionEnded,
  shareEnd,
  shareToken,
  tokenReceived,
} from "@/api/sessionSlice";
import { editDrafts, newDrafts } from "@/api/tabStorage";
import { steadyNow } from "@/lib/serverTime";
import { sleep } from "@/lib/sleep";
import * as t from "@/texts/session";
import * as identity from "./endpoints";

// What ends the session of this window, and what follows from its end.

/** The part of the store that the session thunks read. */
export type Root = SessionRoot & ApiRoot;
/** Dispatch that takes the session thunks. */
export type AuthDispatch = ThunkDispatch<Root, unknown, UnknownAction>;
export type Thunk<T> = ThunkAction<Promise<T>, Root, unknown, UnknownAction>;

/** The time before a request that was refused with 401 is repeated, milliseconds. */
const REPEAT_AFTER_MS = 1000;

/**
 * Sends a request that the session cookie authorizes, and repeats it once after a 401: a sign-in in another tab ends this
 * session, and the browser may have the new cookie a moment later.
 */
export async function repeatAfter401<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if ((error as ApiError).status !== 401) throw error;
  }
  await sleep(REPEAT_AFTER_MS);
  return request();
}

/** Ends the session in this tab after the server has refused the cookie. A user who was signed out meanwhile knows why. */
export const sessionLost = (): ThunkAction<void, Root, unknown, UnknownAction> => (dispatch, getState) => {
  if (selectPhase(getState()) === "in") dispatch(sessionEnded({ by: "expired", reason: t.sessionEnded }));
};

/** The tokens of stores that were refused although the session is valid, with the steady time of the check. */
const refusedTokens = new WeakMap<() => Root, { token: string; checkedAt: number }>();

/**
 * Checks the session after a response with 401, and signs out, with a message, if it is no longer valid. A token that is
 * refused once more after the session was found to be valid is of no use: that ends the session in this tab, too.
 */
export const checkSession =
  (refused?: Pick<Refusal, "token" | "sentAt">): Thunk<void> =>
  async (dispatch, getState) => {
    if (selectPhase(getState()) !== "in") return;
    const before = refusedTokens.get(getState);
    if (refused && before && before.token === refused.token && refused.sentAt > before.checkedAt) {
      dispatch(sessionLost());
      return;
    }
    const me = identity.me.initiate(undefined, { forceRefetch: true, subscribe: false });
    try {
      await repeatAfter401(() => dispatch(me).unwrap());
    } catch (error) {
      if ((error as ApiError).status === 401) dispatch(sessionLost());
      return;
    }
    if (!refused || before?.token === refused.token || selectAccessToken(getState()) !== refused.token)
      return;
    refusedTokens.set(getState, { token: refused.token, checkedAt: steadyNow() });
    dispatch(refetchRole());
  };

/** The three lists whose 401 or 403 ends the session: orders, own phones, advertised phones. No other call does that. */
const SESSION_PATHS = new Set(["/bookings", "/products", "/products/advertised"]);

/** Ends the session, or checks it, after the server has refused a call that had the access token. */
export const callRefused =
  ({ path, method, status, token, sentAt }: Refusal): Thunk<void> =>
  async (dispatch, getState) => {
    const current = selectAccessToken(getState());
    if (current === null) return;
    // The response to a request of an earlier session must not end this one.
    if (method === "GET" && SESSION_PATHS.has(path) && token === current) {
      const reason = status === 401 ? t.sessionEnded : t.accountChanged;
      dispatch(sessionEnded({ by: "server", reason }));
    } else if (status === 401) await dispatch(checkSession({ token, sentAt }));
  };

/** Ends the session at the server. Resolves to false if the request failed. */
const endServerSession = (): Thunk<boolean> => async (dispatch) => {
  const { error } = await dispatch(identity.signOut.initiate());
  return error === undefined || (error as ApiError).status === 401;
};

/** Signs out in this tab at once, then at the server. Resolves to false if the request to the server failed. */
export const signOut = (): Thunk<boolean> => (dispatch) => {
  dispatch(sessionEnded({ by: "person" }));
  return dispatch(endServerSession());
};

/**
 * What follows from the start and the end of a session, whatever caused it: the token is shared with the other tabs; the
 * cache is cleared, because the next user must not see this user's data; and drafts are deleted if the person signed out.
 */
export const sessionMiddleware: Middleware = (store) => (next) => (action) => {
  if (!sessionEnded.match(action)) {
    const result = next(action);
    if (tokenReceived.match(action)) shareToken(action.payload);
    return result;
  }
  const before = store.getState() as Root;
  const isOwn = ownsStoredToken(before);
  const result = next(action);
  const end = action.payload;
  if (isOwn) shareEnd(end);
  if (end === null) return result;
  if (end.by === "person") {
    newDrafts.clear();
    editDrafts.clear();
  }
  store.dispatch(api.util.resetApiState());
  // The settings are the same for all.
  cacheEmbeddedConfig(store.dispatch);
  const { dispatch } = store as { dispatch: AuthDispatch };
  if (isOwn && selectPhase(before) !== "out" && endsServerSession(end)) void dispatch(endServerSession());
  return result;
};

/**
 * Whether the server is to end the session of the cookie too. It has refused an expired one, and the cookie may be of a
 * new session by then; a person's sign-out is told by signOut, and by no other tab.
 */
const endsServerSession = ({ by }: SessionEnd) => by === "server" || by === "removed";
