import {
  type BaseQueryApi,
  type BaseQueryFn,
  type FetchBaseQueryError,
  type FetchBaseQueryMeta,
  fetchBaseQuery,
  retry,
} from "@reduxjs/toolkit/query";
import { backoff } from "@/lib/backoff";
import { steadyNow, timedFetch } from "@/lib/serverTime";
import { sleep } from "@/lib/sleep";
import * as t from "@/texts/api";
import * as session from "@/texts/session";
import { type ApiError, parseErrorBody } from "./errors";
import { parseResponseMeta, type ResponseMeta } from "./responseMeta";
import { type SessionRoot, selectAccessToken } from "./sessionSlice";

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
  /** Reads the response, instead of as JSON. */
  responseHandler?: (response: Response) => Promise<unknown>;
}

/** JSON in and out, failures as ApiError. */
export type BaseQuery = BaseQueryFn<string | Call, unknown, ApiError, object, ResponseMeta | undefined>;

/** The extra argument of the store's thunk middleware. */
export interface ThunkExtra {
  /** When each query may be sent again, by its URL: the steady time to which the server's Retry-After has delayed it. */
  retryTimes: Map<string, number>;
  /** Renews the access token if it has expired. Resolves to false if that failed. */
  renewExpiredToken(dispatch: BaseQueryApi["dispatch"]): Promise<boolean>;
  /** Ends the session, or checks whether it is still valid. */
  callRefused(dispatch: BaseQueryApi["dispatch"], refusal: Refusal): void;
}

/** A call that the server refused with 401 or 403. */
export interface Refusal {
  path: string;
  method: string;
  status: number;
  /** The access token with which it was sent; "" if it had none. */
  token: string;
  /** When it was sent, in milliseconds of the steady time. */
  sentAt: number;
}

/** Name of the window event that is dispatched when a request did not reach the server. */
export const NETWORK_ERROR_EVENT = "networkerror";

/** How often a query is repeated before its error is shown. */
const MAX_RETRIES = 2;
/** With a longer Retry-After the error is shown at once, milliseconds. */
const MAX_RETRY_AFTER_MS = 5000;

/** Calls that are authorized by the session cookie. A token is renewed by these, so they never wait for a renewal. */
const COOKIE_PATHS = /^\/(identity\/|jwt\b|users$|config$)/;

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

/**
 * The rest of the server's Retry-After for this query, milliseconds; undefined if it sent none. Nothing ends it: no
 * click, no other screen, no reconnection.
 */
function serverDelay(url: string, api: BaseQueryApi): number | undefined {
  const time = extraOf(api)?.retryTimes.get(url);
  return time === undefined ? undefined : time - steadyNow();
}

function recordServerDelay(url: string, response: Response | undefined, api: BaseQueryApi): void {
  const seconds = Number(response?.headers.get("Retry-After"));
  if (seconds > 0) extraOf(api)?.retryTimes.set(url, steadyNow() + seconds * 1000);
  else extraOf(api)?.retryTimes.delete(url);
}

/**
 * Renews a token that expired while the computer slept: a 401 because of it would end a valid session. False if that
 * failed, and the call must not be sent.
 */
async function renewExpiredToken(url: string, api: BaseQueryApi): Promise<boolean> {
  return COOKIE_PATHS.test(url) || ((await extraOf(api)?.renewExpiredToken(api.dispatch)) ?? true);
}

const urlOf = (args: string | Call) => (typeof args === "string" ? args : args.url);

/** The error if no answer comes to a call that begins now. A device that is offline does not send it. */
function unreachableError(isRead: boolean): ApiError {
  if (globalThis.navigator?.onLine !== false) return { status: 0, message: t.unreachable, code: "network" };
  return { status: 0, message: isRead ? t.offlineRead : t.offline, code: "offline" };
}

/** Calls the own origin. An absolute URL is refused, so that no endpoint can send the token to another server. */
const sendOnce: BaseQuery = async (args, api) => {
  const url = urlOf(args);
  const call = typeof args === "string" ? { url } : args;
  if (!url.startsWith("/") || url.startsWith("//")) {
    return { error: { status: 0, message: t.serverError, code: "foreign_origin" } };
  }
  const unreachable = unreachableError((call.method ?? "GET") === "GET");
  if (api.type === "query") await sleep(serverDelay(url, api) ?? 0, api.signal);
  if (api.signal.aborted || !(await renewExpiredToken(url, api))) return { error: unreachable };
  if (call.requiresSession && !accessToken(api)) {
    return { error: { status: 401, message: session.sessionEnded, code: "unauthorized" } };
  }
  const sentAt = steadyNow();
  const result = await fetchQuery({ ...call, url: origin() + url }, api, {});
  const { request, response } = result.meta ?? {};
  if (api.type === "query") recordServerDelay(url, response, api);
  if (!response) {
    globalThis.dispatchEvent?.(new Event(NETWORK_ERROR_EVENT));
    return { error: unreachable };
  }
  const meta = parseResponseMeta(response);
  if (!result.error) return { data: result.data, meta };
  const { status } = response;
  if ((status === 401 || status === 403) && !COOKIE_PATHS.test(url)) {
    const token = request?.headers.get("Authorization")?.replace("Bearer ", "") ?? "";
    const path = url.split("?", 1)[0] ?? "";
    extraOf(api)?.callRefused(api.dispatch, { path, method: call.method ?? "GET", status, token, sentAt });
  }
  // The body of a proxy's error page is not JSON.
  const body = typeof result.error.status === "number" ? result.error.data : null;
  return { error: parseErrorBody(status, body), meta };
};

/**
 * The base query of every endpoint. A query that the server refuses with a short Retry-After is repeated before its error
 * is shown. Whoever forces a query repeats it, and a mutation is never repeated.
 */
export const baseQuery: BaseQuery = retry(sendOnce, {
  retryCondition: (_error, args, { attempt, baseQueryApi: api }) =>
    api.type === "query" &&
    !api.forced &&
    attempt <= MAX_RETRIES &&
    (serverDelay(urlOf(args), api) ?? Number.POSITIVE_INFINITY) <= MAX_RETRY_AFTER_MS,
  backoff: (attempt, _maxRetries, signal) => sleep(backoff(attempt, Math.random()), signal),
});
