import type { BaseQueryApi, BaseQueryFn } from "@reduxjs/toolkit/query";
import { endsWithin } from "@/lib/live/token";
import * as t from "@/texts/api";
import * as session from "@/texts/session";
import { type ApiError, errorOfBody } from "./errors";
import type { RetryGate } from "./retryGate";
import { loggedOut, type SessionRoot, selectAccessToken } from "./session";

/** What the headers of an answer say beside its body. */
export interface AnswerMeta {
  status: number;
  /** Cursor of the next page, from the Link header. */
  nextCursor: string | null;
  /** X-Total-Count. */
  total: number | null;
  /** From Live-Position: the topic and the position that the body belongs to. */
  live: { topic: string; position: string } | null;
}

/** A call of the server. */
interface Call {
  /** A path of the own origin, with its query. */
  url: string;
  /** GET unless told otherwise. */
  method?: string;
  /** Goes as JSON. */
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
  /** Finds out whether a session whose token was refused still stands. */
  doubt(dispatch: BaseQueryApi["dispatch"]): void;
}

/** The calls that go by the cookie: a renewal is made of these, so they never wait for one. */
const BY_COOKIE = /^\/(identity\/|jwt\b|users$|config$)/;

/**
 * A computer that wakes holds a token that ended while it slept. Sent along, it
 * would be refused, and a refused list ends a session that still stands.
 */
async function freshToken(url: string, { getState, dispatch, extra }: BaseQueryApi): Promise<void> {
  const token = selectAccessToken(getState() as SessionRoot);
  if (!token || BY_COOKIE.test(url) || !endsWithin(token, 0, Date.now())) return;
  await (extra as CallExtra | undefined)?.renew(dispatch);
}

/** The three calls whose 401 or 403 ends the session (spec section 6), and no other. */
const ENDS_SESSION = new Set(["/bookings", "/products", "/products/advertised"]);

/** The window hears this when a call has not reached the server. */
export const UNREACHED = "unreached";

const origin = () => globalThis.location?.origin ?? "http://localhost:8080";

/** What came back: nothing where the server was out of reach, no data where it was no JSON. */
interface Sent {
  /** The access token that went with it. */
  token: string | null;
  response?: Response;
  data?: unknown;
}

/** In place of RTK Query's own way to send, which does much more than is wanted and would be loaded with it. */
async function send({ url, method, body }: Call, { getState, signal }: BaseQueryApi): Promise<Sent> {
  // GET /categories is also a screen: ask for the data in so many words.
  const headers = new Headers({ Accept: "application/json" });
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const token = selectAccessToken(getState() as SessionRoot);
  if (token) headers.set("Authorization", `Bearer ${token}`);
  let response: Response | undefined;
  try {
    const request = {
      method: method ?? "GET",
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      signal,
    } as const;
    response = await fetch(new Request(origin() + url, request));
    const text = await response.text();
    return { token, response, data: text === "" ? null : JSON.parse(text) };
  } catch {
    return { token, response };
  }
}

/** The cursor in `Link: </path?cursor=…>; rel="next"`. */
function cursorOf(link: string | null): string | null {
  const target = link?.match(/<([^>]*)>\s*;\s*rel="?next"?/)?.[1];
  return target ? new URL(target, origin()).searchParams.get("cursor") : null;
}

/** `topic=position`; neither a topic's name nor this format has "=" before the first one. */
function liveOf(header: string | null): AnswerMeta["live"] {
  const at = header?.indexOf("=") ?? -1;
  if (!header || at < 1) return null;
  return { topic: header.slice(0, at), position: header.slice(at + 1) };
}

function metaOf(response: Response): AnswerMeta {
  const total = response.headers.get("X-Total-Count");
  return {
    status: response.status,
    nextCursor: cursorOf(response.headers.get("Link")),
    total: total === null ? null : Number(total),
    live: liveOf(response.headers.get("Live-Position")),
  };
}

function endsSession(args: Call, status: number): boolean {
  if (status !== 401 && status !== 403) return false;
  const path = args.url.split("?", 1)[0] ?? "";
  return (args.method ?? "GET").toUpperCase() === "GET" && ENDS_SESSION.has(path);
}

/**
 * Sends a call. A query that failed before waits for its turn (retryGate.ts); a write is sent at once, for
 * somebody has pressed a button, and its success ends all pauses. Null: given up before it was sent.
 */
async function sendInTurn(call: Call, api: BaseQueryApi): Promise<Sent | null> {
  const gate = (api.extra as CallExtra | undefined)?.gate;
  const isQuery = api.type === "query";
  const key = `${selectAccessToken(api.getState() as SessionRoot) ?? ""} ${call.url}`;
  if (isQuery && gate && !(await gate.pass(key, api.signal))) return null;
  const sent = await send(call, api);
  const isOk = sent.response?.ok === true && sent.data !== undefined;
  if (!isQuery) {
    if (isOk) gate?.reset();
  } else if (isOk) gate?.succeeded(key);
  else if (api.signal.aborted) gate?.gaveUp(key);
  else gate?.failed(key, retryAfter(sent.response));
  return sent;
}

/** Retry-After in milliseconds; the server sends seconds. */
const retryAfter = (response: Response | undefined): number =>
  Number(response?.headers.get("Retry-After") ?? 0) * 1000 || 0;

/** Whether a call stood on the access token alone. */
const isByToken = ({ url }: Call, { getState }: BaseQueryApi) =>
  !BY_COOKIE.test(url) && selectAccessToken(getState() as SessionRoot) !== null;

/**
 * Calls the own origin. The bearer goes nowhere else: an absolute address is
 * refused here, so that no endpoint can leak it by mistake.
 */
export const baseQuery: BaseQuery = async (args, api) => {
  const request = typeof args === "string" ? { url: args } : args;
  if (!request.url.startsWith("/") || request.url.startsWith("//")) {
    return { error: { status: 0, message: t.unexplained, code: "foreign_origin" } };
  }
  await freshToken(request.url, api);
  const unreachable: ApiError = { status: 0, message: t.unreachable, code: "network" };
  const sent = await sendInTurn(request, api);
  if (!sent) return { error: unreachable };
  const { token, response, data } = sent;
  const meta = response ? metaOf(response) : undefined;
  if (response?.ok && data !== undefined) return { data, meta };
  // The answer came, if only as a proxy's page, or nothing came at all.
  if (response) {
    const { status } = response;
    // Only the session that the call was made in: without one there is nothing to end, and ending it empties the cache.
    const isOwn = token !== null && token === selectAccessToken(api.getState() as SessionRoot);
    if (isOwn && endsSession(request, status))
      api.dispatch(loggedOut(status === 401 ? session.ended : session.accountChanged));
    else if (status === 401 && isByToken(request, api))
      (api.extra as CallExtra | undefined)?.doubt(api.dispatch);
    return { error: errorOfBody(status, data ?? null), meta };
  }
  globalThis.dispatchEvent?.(new Event(UNREACHED));
  return { error: unreachable, meta };
};
