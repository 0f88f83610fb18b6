import type { Middleware, ThunkAction, ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import { api } from "@/api/api";
import { cacheEmbeddedConfig } from "@/api/config";
import { type ApiError, toApiError } from "@/api/errors";
import { refetchRole } from "@/api/role";
import {
  loggedOut,
  ownsStoredToken,
  readSharedEnd,
  type SessionEnd,
  type SessionRoot,
  selectAccessToken,
  selectMe,
  selectPhase,
  sessionRequested,
  sessionUnknown,
  shareEnd,
  shareToken,
  tokenReceived,
  tokenStoredElsewhere,
  userLoaded,
} from "@/api/sessionSlice";
import { editDrafts, formDraft } from "@/api/tabStorage";
import type { SignedInUser, User } from "@/api/types";
import { clearVisitorMark, isVisitorPage } from "@/api/visitorPage";
import { expiresWithin } from "@/lib/accessToken";
import { safeLocalStorage } from "@/lib/safeLocalStorage";
import { steadyNow } from "@/lib/serverTime";
import { sessionEnded } from "@/texts/session";
import * as identity from "./endpoints";

type Root = SessionRoot & { api: ReturnType<typeof api.reducer> };
/** Dispatch that takes the session thunks. */
export type AuthDispatch = ThunkDispatch<Root, unknown, UnknownAction>;
type Thunk<T> = ThunkAction<Promise<T>, Root, unknown, UnknownAction>;
type AccountType = User["accountType"];

/** The key of local storage for the chosen account type, in case POST /users fails after the sign-up. */
const PENDING_KEY = "signUp";

function pendingAccountType(email: string): AccountType {
  try {
    const pending = JSON.parse(safeLocalStorage.get(PENDING_KEY) ?? "{}") as {
      email?: string;
      accountType?: string;
    };
    return pending.email?.toLowerCase() === email.toLowerCase() && pending.accountType === "Seller"
      ? "Seller"
      : "User";
  } catch {
    return "User";
  }
}

/** Creates the market's user for an account. */
const createMarketUser =
  (user: SignedInUser, accountType: AccountType): Thunk<void> =>
  async (dispatch) => {
    safeLocalStorage.set(PENDING_KEY, JSON.stringify({ email: user.email, accountType }));
    const name = user.displayName || user.email;
    await dispatch(identity.createUser.initiate({ name, email: user.email, accountType })).unwrap();
    safeLocalStorage.set(PENDING_KEY, null);
  };

/** Fetches a token. Creates the user first if the market does not have one (first sign-in with Google). */
const fetchToken =
  (user: SignedInUser): Thunk<string> =>
  async (dispatch) => {
    const requestToken = () =>
      dispatch(identity.token.initiate(user.email, { forceRefetch: true, subscribe: false })).unwrap();
    try {
      return (await requestToken()).accessToken;
    } catch (error) {
      if (toApiError(error).code !== "no_user") throw error;
    }
    await dispatch(createMarketUser(user, pendingAccountType(user.email)));
    return (await requestToken()).accessToken;
  };

/**
 * Fetches a token for an account that has just been authenticated, and stores user and token. After a sign-up,
 * `accountType` is the chosen type, and the market's user is created first. Rejects with an ApiError.
 */
export const completeSignIn =
  (user: SignedInUser, accountType?: AccountType): Thunk<void> =>
  async (dispatch) => {
    if (accountType) await dispatch(createMarketUser(user, accountType));
    dispatch(tokenReceived(await dispatch(fetchToken(user))));
    dispatch(userLoaded(user));
  };

/** Loads the session from the server: when the page is loaded, and after another tab has signed in. */
export const loadSession = (): Thunk<void> => async (dispatch, getState) => {
  if (isVisitorPage()) {
    clearVisitorMark();
    // With a token, another tab has signed in since the page was requested.
    if (!selectAccessToken(getState())) {
      dispatch(loggedOut(null));
      return;
    }
  }
  dispatch(sessionRequested());
  try {
    const user = await dispatch(
      identity.me.initiate(undefined, { forceRefetch: true, subscribe: false }),
    ).unwrap();
    // A list's 401 with the stored token may have ended the session meanwhile.
    if (selectPhase(getState()) !== "starting") return;
    const storedToken = selectAccessToken(getState());
    if (storedToken && !expiresWithin(storedToken, RENEW_BEFORE_MS)) dispatch(userLoaded(user));
    else await dispatch(completeSignIn(user));
  } catch (error) {
    const { status } = error as ApiError;
    if (status !== 401 && status !== 403) {
      dispatch(sessionUnknown());
      return;
    }
    dispatch(loggedOut(selectAccessToken(getState()) ? { by: "expired" } : null));
  }
};

/** Loads the signed-in user again: their email may have been confirmed, or changed. A failure changes nothing. */
export const refreshUser = (): Thunk<void> => async (dispatch, getState) => {
  const { data } = await dispatch(identity.me.initiate(undefined, { forceRefetch: true, subscribe: false }));
  const user = selectMe(getState());
  if (!data || user?.uid !== data.uid) return;
  dispatch(userLoaded(data));
  // The old token is for the old address.
  if (user.email !== data.email) await dispatch(renewToken());
};

/** The last renewal of a store: the request, while it is running, and the steady time of the last success. */
interface Renewal {
  running?: Promise<void>;
  succeededAt?: number;
}
const renewals = new WeakMap<() => Root, Renewal>();

/** Tokens live an hour (api/identity/token.go); one with less than this left is renewed, milliseconds. */
export const RENEW_BEFORE_MS = 10 * 60_000;
/** A token is not renewed again within this time because of a clock, milliseconds: the clock may be wrong. */
const RENEW_INTERVAL_MS = 60_000;

/** Renews the access token. After a failure the old token is kept, and SessionManager tries again. */
export const renewToken = (): Thunk<void> => (dispatch, getState) => {
  const renewal = renewals.get(getState) ?? {};
  renewals.set(getState, renewal);
  renewal.running ??= dispatch(renewNow()).finally(() => {
    renewal.running = undefined;
  });
  return renewal.running;
};

/**
 * Renews a token that expires within `ms` milliseconds by the server's time. Resolves to false if that failed: the token
 * may have expired, and the server would end the session for it.
 */
export const renewDueToken =
  (ms: number): Thunk<boolean> =>
  async (dispatch, getState) => {
    const token = selectAccessToken(getState());
    const { succeededAt = Number.NEGATIVE_INFINITY } = renewals.get(getState) ?? {};
    if (!token || !expiresWithin(token, ms) || steadyNow() - succeededAt < RENEW_INTERVAL_MS) return true;
    await dispatch(renewToken());
    return selectAccessToken(getState()) !== token;
  };

/** The time before a request that was refused with 401 is repeated, milliseconds. */
const REPEAT_AFTER_MS = 1000;

/**
 * Sends a request that the session cookie authorizes, and repeats it once after a 401: a sign-in in another tab ends this
 * session, and the browser may have the new cookie a moment later.
 */
async function repeatAfter401<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if ((error as ApiError).status !== 401) throw error;
  }
  await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS));
  return request();
}

/** Ends the session in this tab after the server has refused the cookie. A user who was signed out meanwhile knows why. */
const sessionLost = (): ThunkAction<void, Root, unknown, UnknownAction> => (dispatch, getState) => {
  if (selectPhase(getState()) === "in") dispatch(loggedOut({ by: "expired", reason: sessionEnded }));
};

const renewNow = (): Thunk<void> => async (dispatch, getState) => {
  const user = selectMe(getState());
  if (!user) return;
  try {
    // The address may change between the two requests.
    const token = await repeatAfter401(() => dispatch(fetchToken(selectMe(getState()) ?? user)));
    // A user who signed out while the request was running stays signed out.
    if (selectMe(getState())?.uid !== user.uid) return;
    dispatch(tokenReceived(token));
    const renewal = renewals.get(getState);
    if (renewal) renewal.succeededAt = steadyNow();
  } catch (error) {
    const { status } = error as ApiError;
    if (status === 401) dispatch(sessionLost());
    // The cookie is valid, but not for this address: another tab has changed it, or signed in to another account.
    else if (status === 403 && selectPhase(getState()) === "in") await dispatch(loadSession());
  }
};

/** A call that was refused with 401: its token, and the steady time at which it was sent. */
interface Refused {
  token: string;
  sentAt: number;
}

/** The tokens of stores that were refused although the session is valid, with the steady time of the check. */
const refusedTokens = new WeakMap<() => Root, { token: string; checkedAt: number }>();

/**
 * Checks the session after a response with 401, and signs out, with a message, if it is no longer valid. A token that is
 * refused once more after the session was found to be valid is of no use: that ends the session in this tab, too.
 */
export const checkSession =
  (refused?: Refused): Thunk<void> =>
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

/** Ends the session at the server. Resolves to false if the request failed. */
export const endServerSession = (): Thunk<boolean> => async (dispatch) => {
  const { error } = await dispatch(identity.signOut.initiate());
  return error === undefined || (error as ApiError).status === 401;
};

/**
 * Signs out in this tab at once, then at the server. Resolves to false if the request to the server failed. With
 * `returns`, the next sign-in leads back to the current screen.
 */
export const signOut =
  (returns = false): Thunk<boolean> =>
  (dispatch) => {
    dispatch(loggedOut({ by: "person", returns }));
    return dispatch(endServerSession());
  };

/**
 * Follows a sign-in, sign-out or renewal of another tab. A tab that ends its session says how. If no tab has said so, only
 * the server knows whether there is a session.
 */
export const tokenChangedElsewhere =
  (token: string | null): Thunk<void> =>
  async (dispatch, getState) => {
    if (token === null) {
      const end = readSharedEnd();
      if (end) dispatch(loggedOut(end));
      else await dispatch(checkSession());
      return;
    }
    dispatch(tokenStoredElsewhere(token));
    // A renewed token of the same user changes nothing else.
    if (selectMe(getState()) === null) await dispatch(loadSession());
  };

/**
 * What follows from the start and the end of a session, whatever caused it: the token is shared with the other tabs; the
 * cache is cleared, because the next user must not see this user's data; and drafts are deleted if the person signed out.
 */
export const sessionMiddleware: Middleware = (store) => (next) => (action) => {
  if (!loggedOut.match(action)) {
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
    formDraft.write(null);
    editDrafts.write(null);
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
