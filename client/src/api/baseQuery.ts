import {
  type BaseQueryApi,
  type BaseQueryFn,
  type FetchBaseQueryError,
  type FetchBaseQueryMeta,
  fetchBaseQuery,
} from "@reduxjs/toolkit/query";
import { expiresWithin } from "@/lib/live/token";
import * as t from "@/texts/api";
import * as session from "@/texts/session";
import { type AnswerMeta, metaOf } from "./answerMeta";
import { type ApiError, errorOfBody } from "./errors";
import type { RetryGate } from "./retryGate";
import { loggedOut, type SessionRoot, selectAccessToken } from "./session";

/** A call of the server. */
interface Call {
  /** A path of the own origin, with its query. */
  url: string;
  /** GET by default. */
  method?: string;
  /** Sent as JSON. */
  body?: unknown;
}

/** The base query of every endpoint: JSON in and out, failures as ApiError. */
export type BaseQuery = BaseQueryFn<string | Call, unknown, ApiError, object, AnswerMeta | undefined>;

/** What the store gives every call: its middleware's extra argument. */
export interface CallExtra {
  /** Holds back queries that failed before. */
  gate: RetryGate;
  /** Gets a new access token in place of one that has ended. Never rejects. */
  renew(dispatch: BaseQueryApi["dispatch"]): Promise<void>;
  /** Finds out whether a session whose token was refused is still valid. */
  doubt(dispatch: BaseQueryApi["dispatch"]): void;
}

/** Name of the window event that is sent when a call has not reached the server. */
export const UNREACHED = "unreached";

/** Calls that are authorized by the cookie. A renewal is made of these, so they never wait for one. */
const BY_COOKIE = /^\/(identity\/|jwt\b|users$|config$)/;
/** The three calls whose 401 or 403 ends the session (spec section 6), and no other. */
const ENDS_SESSION = new Set(["/bookings", "/products", "/products/advertised"]);

const origin = () => globalThis.location?.origin ?? "http://localhost:8080";
const tokenOf = ({ getState }: Pick<BaseQueryApi, "getState">) =>
  selectAccessToken(getState() as SessionRoot);
const extraOf = (api: BaseQueryApi) => api.extra as CallExtra | undefined;

type FetchQuery = BaseQueryFn<Call, unknown, FetchBaseQueryError, object, FetchBaseQueryMeta>;

/** Sends a call with the access token. */
const send: FetchQuery = fetchBaseQuery({
  credentials: "same-origin",
  prepareHeaders: (headers, api) => {
    // GET /categories is also the address of a screen; the server distinguishes them by Accept.
    headers.set("Accept", "application/json");
    const token = tokenOf(api);
    if (token) headers.set("Authorization", `Bearer ${token}`);
  },
});

/** Retry-After in milliseconds; the server sends seconds. */
const retryAfter = (meta: FetchBaseQueryMeta | undefined): number =>
  Number(meta?.response?.headers.get("Retry-After") ?? 0) * 1000 || 0;

/**
 * Has a query that failed before wait for its turn (retryGate.ts). A mutation is sent at once, and its success ends all
 * pauses. Null: the query was aborted before it was sent.
 */
async function sendInTurn(call: Call, api: BaseQueryApi) {
  const gate = extraOf(api)?.gate;
  const isQuery = api.type === "query";
  const key = `${tokenOf(api) ?? ""} ${call.url}`;
  if (isQuery && gate && !(await gate.pass(key, api.signal))) return null;
  const answer = await send({ ...call, url: origin() + call.url }, api, {});
  if (!isQuery) {
    if (!answer.error) gate?.reset();
  } else if (!answer.error) gate?.succeeded(key);
  else if (api.signal.aborted) gate?.gaveUp(key);
  else gate?.failed(key, retryAfter(answer.meta));
  return answer;
}

/** Renews a token that ended while the computer slept: a list refused because of it would end a valid session. */
async function renewEndedToken(url: string, api: BaseQueryApi): Promise<void> {
  const token = tokenOf(api);
  if (!token || BY_COOKIE.test(url) || !expiresWithin(token, 0, Date.now())) return;
  await extraOf(api)?.renew(api.dispatch);
}

/** Ends the session, or checks it, after a 401 or 403. */
function checkSession(
  { url, method = "GET" }: Call,
  status: number,
  sentToken: string | null,
  api: BaseQueryApi,
) {
  const token = tokenOf(api);
  const path = url.split("?", 1)[0] ?? "";
  const endsSession = (status === 401 || status === 403) && method === "GET" && ENDS_SESSION.has(path);
  // A call of an earlier session ends nothing.
  if (endsSession && token !== null && token === sentToken) {
    api.dispatch(loggedOut(status === 401 ? session.ended : session.accountChanged));
  } else if (status === 401 && token !== null && !BY_COOKIE.test(url)) {
    extraOf(api)?.doubt(api.dispatch);
  }
}

/** Calls the own origin. An absolute address is refused, so that no endpoint can send the token elsewhere. */
export const baseQuery: BaseQuery = async (args, api) => {
  const call = typeof args === "string" ? { url: args } : args;
  if (!call.url.startsWith("/") || call.url.startsWith("//")) {
    return { error: { status: 0, message: t.unexplained, code: "foreign_origin" } };
  }
  await renewEndedToken(call.url, api);
  const unreachable: ApiError = { status: 0, message: t.unreachable, code: "network" };
  const answer = await sendInTurn(call, api);
  if (!answer) return { error: unreachable };
  const { request, response } = answer.meta ?? {};
  if (!response) {
    globalThis.dispatchEvent?.(new Event(UNREACHED));
    return { error: unreachable };
  }
  const meta = metaOf(response);
  if (!answer.error) return { data: answer.data, meta };
  const sentToken = request?.headers.get("Authorization")?.replace("Bearer ", "") ?? null;
  checkSession(call, response.status, sentToken, api);
  // The body of a proxy's error page is no JSON.
  const body = typeof answer.error.status === "number" ? answer.error.data : null;
  return { error: errorOfBody(response.status, body), meta };
};
