import { type ApiError, toApiError } from "@/api/errors";
import {
  readSharedEnd,
  selectAccessToken,
  selectMe,
  selectPhase,
  sessionEnded,
  sessionRequested,
  sessionUnknown,
  tokenReceived,
  tokenStoredElsewhere,
  userLoaded,
} from "@/api/sessionSlice";
import type { SignedInUser, User } from "@/api/types";
import { clearVisitorMark, isVisitorPage } from "@/api/visitorPage";
import { expiresWithin } from "@/lib/accessToken";
import { safeLocalStorage } from "@/lib/safeLocalStorage";
import { steadyNow } from "@/lib/serverTime";
import * as identity from "./endpoints";
import { checkSession, type Root, repeatAfter401, sessionLost, type Thunk } from "./sessionEnd";

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
      dispatch(sessionEnded(null));
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
    dispatch(sessionEnded(selectAccessToken(getState()) ? { by: "expired" } : null));
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

/**
 * Follows a sign-in, sign-out or renewal of another tab. A tab that ends its session says how. If no tab has said so, only
 * the server knows whether there is a session.
 */
export const tokenChangedElsewhere =
  (token: string | null): Thunk<void> =>
  async (dispatch, getState) => {
    if (token === null) {
      const end = readSharedEnd();
      if (end) dispatch(sessionEnded(end));
      else await dispatch(checkSession());
      return;
    }
    dispatch(tokenStoredElsewhere(token));
    // A renewed token of the same user changes nothing else.
    if (selectMe(getState()) === null) await dispatch(loadSession());
  };
