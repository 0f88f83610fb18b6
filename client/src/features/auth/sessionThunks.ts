import type { ThunkAction, ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import type { api } from "@/api/api";
import { type ApiError, toApiError } from "@/api/errors";
import {
  loggedOut,
  type SessionRoot,
  selectAccessToken,
  tokenReceived,
  tokenStoredElsewhere,
} from "@/api/sessionSlice";
import { editDrafts, formDraft } from "@/api/tabStorage";
import type { SignedInUser, User } from "@/api/types";
import { safeLocalStorage } from "@/lib/safeLocalStorage";
import { sessionEnded } from "@/texts/session";
import { type AuthRoot, authActions, selectPhase, selectUser } from "./authSlice";
import * as identity from "./endpoints";
import { renewIn } from "./tokenRenewal";
import { clearVisitorMark, isVisitorPage } from "./visitorPage";

type Root = SessionRoot & AuthRoot & { api: ReturnType<typeof api.reducer> };
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
    dispatch(authActions.userLoaded(user));
  };

/** Loads the session from the server: when the page is loaded, and after another tab has signed in. */
export const loadSession = (): Thunk<void> => async (dispatch, getState) => {
  if (isVisitorPage()) {
    clearVisitorMark();
    // With a token, another tab has signed in since the page was requested.
    if (!selectAccessToken(getState())) {
      dispatch(authActions.signedOut(false));
      return;
    }
  }
  dispatch(authActions.starting());
  try {
    const user = await dispatch(
      identity.me.initiate(undefined, { forceRefetch: true, subscribe: false }),
    ).unwrap();
    // A list's 401 with the stored token may have ended the session meanwhile.
    if (selectPhase(getState()) !== "starting") return;
    const storedToken = selectAccessToken(getState());
    if (storedToken && renewIn(storedToken) !== 0) dispatch(authActions.userLoaded(user));
    else await dispatch(completeSignIn(user));
  } catch (error) {
    const { status } = error as ApiError;
    if (status !== 401 && status !== 403) {
      dispatch(authActions.failed());
      return;
    }
    dispatch(authActions.signedOut(false));
    if (selectAccessToken(getState())) dispatch(loggedOut());
  }
};

/** Loads the signed-in user again: their email may have been confirmed, or changed. A failure changes nothing. */
export const refreshUser = (): Thunk<void> => async (dispatch, getState) => {
  const { data } = await dispatch(identity.me.initiate(undefined, { forceRefetch: true, subscribe: false }));
  const user = selectUser(getState());
  if (!data || user?.uid !== data.uid) return;
  dispatch(authActions.userLoaded(data));
  // The old token is for the old address.
  if (user.email !== data.email) await dispatch(renewToken());
};

/** The running renewal of each store: SessionManager and the live connection may both request one on waking. */
const runningRenewals = new WeakMap<() => Root, Promise<void>>();

/** Renews the access token. After a failure the old token is kept, and SessionManager tries again. */
export const renewToken = (): Thunk<void> => (dispatch, getState) => {
  const running = runningRenewals.get(getState);
  if (running) return running;
  const renewal = dispatch(renewNow()).finally(() => runningRenewals.delete(getState));
  runningRenewals.set(getState, renewal);
  return renewal;
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

/**
 * Signs out in this tab, with a message, after the server has refused the cookie. The server is not told: it has ended the
 * session already, and the cookie may be of a new one by then.
 */
const sessionLost = (): ThunkAction<void, Root, unknown, UnknownAction> => (dispatch, getState) => {
  // A user who was signed out meanwhile has been told why.
  if (selectPhase(getState()) !== "in") return;
  dispatch(authActions.signedOut(false));
  dispatch(loggedOut(sessionEnded));
};

const renewNow = (): Thunk<void> => async (dispatch, getState) => {
  const user = selectUser(getState());
  if (!user) return;
  try {
    // The address may change between the two requests.
    const token = await repeatAfter401(() => dispatch(fetchToken(selectUser(getState()) ?? user)));
    // A user who signed out while the request was running stays signed out.
    if (selectUser(getState())?.uid === user.uid) dispatch(tokenReceived(token));
  } catch (error) {
    const { status } = error as ApiError;
    if (status === 401) dispatch(sessionLost());
    // The cookie is valid, but not for this address: another tab has changed it, or signed in to another account.
    else if (status === 403 && selectPhase(getState()) === "in") await dispatch(loadSession());
  }
};

/** Checks the session after a response with 401, and signs out, with a message, if it is no longer valid. */
export const checkSession = (): Thunk<void> => async (dispatch, getState) => {
  if (selectPhase(getState()) !== "in") return;
  const me = identity.me.initiate(undefined, { forceRefetch: true, subscribe: false });
  try {
    await repeatAfter401(() => dispatch(me).unwrap());
  } catch (error) {
    if ((error as ApiError).status === 401) dispatch(sessionLost());
  }
};

/** Ends the session at the server. Resolves to false if the request failed. */
export const endServerSession = (): Thunk<boolean> => async (dispatch) => {
  const { error } = await dispatch(identity.signOut.initiate());
  return error === undefined || (error as ApiError).status === 401;
};

/** Deletes the form drafts of this tab. */
function deleteDrafts(): void {
  formDraft.write(null);
  editDrafts.write(null);
}

/**
 * Signs out in this tab at once, then at the server. Resolves to false if the request to the server failed. If
 * `byUser` is false, the next sign-in leads back to the current screen.
 */
export const signOut =
  (byUser = true): Thunk<boolean> =>
  (dispatch) => {
    deleteDrafts();
    dispatch(authActions.signedOut(byUser));
    dispatch(loggedOut());
    return dispatch(endServerSession());
  };

/** Follows a sign-in, sign-out or renewal of another tab. That tab has already called the server. */
export const tokenChangedElsewhere =
  (token: string | null): Thunk<void> =>
  async (dispatch, getState) => {
    if (token === null) {
      deleteDrafts();
      dispatch(authActions.signedOut(true));
      dispatch(loggedOut());
      return;
    }
    dispatch(tokenStoredElsewhere(token));
    // A renewed token of the same user changes nothing else.
    if (selectUser(getState()) === null) await dispatch(loadSession());
  };
