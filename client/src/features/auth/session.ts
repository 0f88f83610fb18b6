import type { ThunkAction, ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import type { api } from "@/api/api";
import { type ApiError, toApiError } from "@/api/errors";
import { loggedOut, type SessionRoot, selectAccessToken, tokenReceived } from "@/api/session";
import { editDrafts, formDraft } from "@/api/sessionStorage";
import type { SignedInUser, User } from "@/api/types";
import { sessionEnded } from "@/texts/session";
import { type AuthRoot, authActions, selectPhase, selectUser } from "./authSlice";
import * as identity from "./endpoints";
import { safeLocalStorage } from "./localStorage";
import { renewIn } from "./token";
import { clearVisitorMark, isVisitorPage } from "./visitorPage";

type Root = SessionRoot & AuthRoot & { api: ReturnType<typeof api.reducer> };
/** Dispatch that takes the session thunks. */
export type AuthDispatch = ThunkDispatch<Root, unknown, UnknownAction>;
type Thunk<T> = ThunkAction<Promise<T>, Root, unknown, UnknownAction>;
type AccountType = User["accountType"];

/** Where a chosen account type waits should the network fail between signing up and POST /users. */
const PENDING_KEY = "signUp";

function pendingType(email: string): AccountType {
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

/** Makes the identity provider's user a user of the market. */
const join =
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
    const ask = () =>
      dispatch(identity.token.initiate(user.email, { forceRefetch: true, subscribe: false })).unwrap();
    try {
      return (await ask()).accessToken;
    } catch (error) {
      if (toApiError(error).code !== "no_user") throw error;
    }
    await dispatch(join(user, pendingType(user.email)));
    return (await ask()).accessToken;
  };

/**
 * Makes the identity provider's user the signed-in one of the client; of one
 * who has just signed up, `accountType` says what they become. Rejects with an ApiError.
 */
export const enter =
  (user: SignedInUser, accountType?: AccountType): Thunk<void> =>
  async (dispatch) => {
    if (accountType) await dispatch(join(user, accountType));
    dispatch(tokenReceived(await dispatch(fetchToken(user))));
    dispatch(authActions.entered(user));
  };

/** Finds out who is signed in: at the start, and after another tab signed in. */
export const start = (): Thunk<void> => async (dispatch, getState) => {
  if (isVisitorPage()) {
    clearVisitorMark();
    dispatch(authActions.left(false));
    if (selectAccessToken(getState())) dispatch(loggedOut());
    return;
  }
  dispatch(authActions.starting());
  try {
    const user = await dispatch(
      identity.me.initiate(undefined, { forceRefetch: true, subscribe: false }),
    ).unwrap();
    // A list's 401 with the stored token may have ended the session meanwhile.
    if (selectPhase(getState()) !== "starting") return;
    const held = selectAccessToken(getState());
    if (held && renewIn(held) !== 0) dispatch(authActions.entered(user));
    else await dispatch(enter(user));
  } catch (error) {
    const { status } = error as ApiError;
    if (status !== 401 && status !== 403) {
      dispatch(authActions.failed());
      return;
    }
    dispatch(authActions.left(false));
    if (selectAccessToken(getState())) dispatch(loggedOut());
  }
};

/** The renewal under way, by store: the keeper and the live line may both ask on waking. */
const underWay = new WeakMap<() => Root, Promise<void>>();

/** A new token in place of one about to end; a failure is left to the next try. */
export const renewToken = (): Thunk<void> => (dispatch, getState) => {
  const running = underWay.get(getState);
  if (running) return running;
  const renewal = dispatch(renewNow()).finally(() => underWay.delete(getState));
  underWay.set(getState, renewal);
  return renewal;
};

const renewNow = (): Thunk<void> => async (dispatch, getState) => {
  const user = selectUser(getState());
  if (!user) return;
  try {
    const token = await dispatch(fetchToken(user));
    // A user who signed out while the request was running stays signed out.
    if (selectUser(getState())?.uid === user.uid) dispatch(tokenReceived(token));
  } catch (error) {
    const { status } = error as ApiError;
    if (status === 401 || status === 403) dispatch(loggedOut(sessionEnded));
  }
};

/** Handles a call refused for its token: signs out, with a message, if the session is no longer valid. */
export const checkSession = (): Thunk<void> => async (dispatch, getState) => {
  if (selectPhase(getState()) !== "in") return;
  const { error } = await dispatch(identity.me.initiate(undefined, { forceRefetch: true, subscribe: false }));
  const isOver = (error as ApiError | undefined)?.status === 401;
  if (isOver && selectPhase(getState()) === "in") dispatch(loggedOut(sessionEnded));
};

/** Tells the server that its session is over. Resolves to false when it could not be told. */
export const tellServer = (): Thunk<boolean> => async (dispatch) => {
  const { error } = await dispatch(identity.signOut.initiate());
  return error === undefined || (error as ApiError).status === 401;
};

/** A user who signs out leaves nothing in this tab. */
function forgetDrafts(): void {
  formDraft.write(null);
  editDrafts.write(null);
}

/**
 * Signs out here, at once, and at the server. Resolves to false when the server could not be told. Unless `wished`, the
 * next sign-in starts where the user is.
 */
export const signOut =
  (wished = true): Thunk<boolean> =>
  (dispatch) => {
    forgetDrafts();
    dispatch(authActions.left(wished));
    dispatch(loggedOut());
    return dispatch(tellServer());
  };

/** What another tab did to the stored token, done here too; the server already knows. */
export const tokenChangedElsewhere =
  (token: string | null): Thunk<void> =>
  async (dispatch, getState) => {
    if (token === null) {
      forgetDrafts();
      dispatch(authActions.left(true));
      dispatch(loggedOut());
      return;
    }
    dispatch(tokenReceived(token));
    // A renewed token of the same user changes nothing else.
    if (selectUser(getState()) === null) await dispatch(start());
  };
