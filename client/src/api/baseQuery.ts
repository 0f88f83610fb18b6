import {
  type BaseQueryApi,
  type BaseQueryFn,
  type FetchBaseQueryError,
  type FetchBaseQueryMeta,
  fetchBaseQuery,
} from "@reduxjs/toolkit/query";
import { steadyNow, timedFetch } from "@/lib/serverTime";
import * as t from "@/texts/api";
import * as session from "@/texts/session";
import { type ApiError, parseErrorBody } from "./errors";
import type { RequestBackoff } from "./requestBackoff";
import { parseResponseMeta, type ResponseMeta } from "./responseMeta";
import { loggedOut, type SessionRoot, selectAccessToken } from "./sessionSlice";

/** A request to the server. */
export interface Call {
  /** A path of the own origin, with its query string. */
  url: string;
  /** GET by default. */
  method?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** The response is for a signed-in person: without a token, as after the session ended, the call is not sent. */
  requiresSession?: boolean;
}

/** The base query of every endpoint: JSON in and out, failures as ApiError. */
type BaseQuery = BaseQueryFn<string | Call, unknown, ApiError, object, ResponseMeta | undefined>;

/** The extra argument of the store's thunk middleware. */
export interface ThunkExtra {
  /** Delays queries that failed before. */
  requestBackoff: RequestBackoff;
  /** Renews the access token if it has expired. Resolves to false if that failed. */
  renewExpiredToken(dispatch: BaseQueryApi["dispatch"]): Promise<boolean>;
  /** Checks whether the session is still valid, after the refusal of a call that was sent with this token at this steady time. */
  checkSession(dispatch: BaseQueryApi["dispatch"], token: string, sentAt: number): void;
}

/** Name of the window event that is dispatched when a request did not reach the server. */
export const NETWORK_ERROR_EVENT = "networkerror";

/** Calls that are authorized by the session cookie. A token is renewed by these, so they never wait for a renewal. */
const COOKIE_PATHS = /^\/(identity\/|jwt\b|users$|config$)/;
/** The three lists whose 401 or 403 ends the session: orders, own phones, advertised phones. No other call does that. */
const SESSION_PATHS = new Set(["/bookings", "/products", "/products/advertised"]);

const origin = () => globalThis.location?.origin ?? "http://localhost:8080";
const accessToken = ({ getState }: Pick<BaseQueryApi, "getState">) =>
  selectAccessToken(getState() as SessionRoot);
const extraOf = (api: BaseQueryApi) => api.extra as ThunkExtra | undefined;

type FetchQuery = BaseQueryFn<Call, unknown, FetchBaseQueryError, object, FetchBaseQueryMeta>;

/** Sends a call with the access token. */
const fetchQuery: FetchQuery = fetchBaseQuery({
  credentials: "same-origin",
  fetchFn: timedFetch,
  prepareHeaders: (headers, api) => {
    // GET /categories is also the address of a screen; the server distinguishes them by Accept.
    headers.set("Accept", "application/json");
    const token = accessToken(api);
    if (token) headers.set("Authorization", `Bearer ${token}`);
  },
});

/** Retry-After in milliseconds; the server sends seconds. */
const retryAfterMs = (meta: FetchBaseQueryMeta | undefined): number =>
  Number(meta?.response?.headers.get("Retry-After") ?? 0) * 1000 || 0;

/**
 * Sends a call. A query that failed before is delayed first (requestBackoff.ts). A mutation is sent at once, and its
 * success ends all delays. Null if the query was aborted before it was sent.
 */
async function sendWithBackoff(call: Call, api: BaseQueryApi) {
  const backoff = extraOf(api)?.requestBackoff;
  const isQuery = api.type === "query";
  const key = `${accessToken(api) ?? ""} ${call.url}`;
  if (isQuery && backoff && !(await backoff.waitForTurn(key, api.signal))) return null;
  const result = await fetchQuery({ ...call, url: origin() + call.url }, api, {});
  if (!isQuery) {
    if (!result.error) backoff?.reset();
  } else if (!result.error) backoff?.recordSuccess(key);
  else if (api.signal.aborted) backoff?.recordAbort(key);
  else backoff?.recordFailure(key, retryAfterMs(result.meta));
  return result;
}

/**
 * Renews a token that expired while the computer slept: a 401 because of it would end a valid session. False if that
 * failed, and the call must not be sent.
 */
async function renewExpiredToken(url: string, api: BaseQueryApi): Promise<boolean> {
  return COOKIE_PATHS.test(url) || ((await extraOf(api)?.renewExpiredToken(api.dispatch)) ?? true);
}

/** Ends the session, or checks it, after a response with 401 or 403. */
function handleAuthError(
  { url, method = "GET" }: Call,
  status: number,
  sentToken: string | null,
  sentAt: number,
  api: BaseQueryApi,
) {
  const token = accessToken(api);
  const path = url.split("?", 1)[0] ?? "";
  const endsSession = (status === 401 || status === 403) && method === "GET" && SESSION_PATHS.has(path);
  // The response to a request of an earlier session must not end this one.
  if (endsSession && token !== null && token === sentToken) {
    const reason = status === 401 ? session.sessionEnded : session.accountChanged;
    api.dispatch(loggedOut({ by: "server", reason }));
  } else if (status === 401 && token !== null && !COOKIE_PATHS.test(url)) {
    extraOf(api)?.checkSession(api.dispatch, sentToken ?? "", sentAt);
  }
}

/** Calls the own origin. An absolute URL is refused, so that no endpoint can send the token to another server. */
export const baseQuery: BaseQuery = async (args, api) => {
  const call = typeof args === "string" ? { url: args } : args;
  if (!call.url.startsWith("/") || call.url.startsWith("//")) {
    return { error: { status: 0, message: t.serverError, code: "foreign_origin" } };
  }
  const unreachable: ApiError = { status: 0, message: t.unreachable, code: "network" };
  if (!(await renewExpiredToken(call.url, api))) return { error: unreachable };
  if (call.requiresSession && !accessToken(api)) {
    return { error: { status: 401, message: session.sessionEnded, code: "unauthorized" } };
  }
  const sentAt = steadyNow();
  const result = await sendWithBackoff(call, api);
  if (!result) return { error: unreachable };
  const { request, response } = result.meta ?? {};
  if (!response) {
    globalThis.dispatchEvent?.(new Event(NETWORK_ERROR_EVENT));
    return { error: unreachable };
  }
  const meta = parseResponseMeta(response);
  if (!result.error) return { data: result.data, meta };
  const sentToken = request?.headers.get("Authorization")?.replace("Bearer ", "") ?? null;
  handleAuthError(call, response.status, sentToken, sentAt, api);
  // The body of a proxy's error page is not JSON.
  const body = typeof result.error.status === "number" ? result.error.data : null;
  return { error: parseErrorBody(response.status, body), meta };
};
