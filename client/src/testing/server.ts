import { HttpResponse, http, type JsonBodyType } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Entity } from "@/lib/live";
import { endScreen } from "./endScreen";
import { config } from "./factories";
import { nextTurn } from "./nextTurn";

const origin = "http://localhost:8080";

/**
 * The fake server of the tests; a call without a handler fails the test. By default a buyer has no orders, waits for
 * nothing, watches nothing, has no notifications, messages and offers, and the account remembers no contact. There are
 * no cases, and no decisions about anybody.
 */
export const server = setupServer(
  http.get(`${origin}/bookings`, () => HttpResponse.json([])),
  http.get(`${origin}/watching`, () => HttpResponse.json({ version: 0, phones: [] })),
  http.get(`${origin}/waitlist`, () => HttpResponse.json([])),
  http.get(`${origin}/notifications`, () => HttpResponse.json([])),
  http.get(`${origin}/threads`, () => HttpResponse.json([])),
  http.get(`${origin}/cases`, () => HttpResponse.json([])),
  http.get(`${origin}/decisions`, () => HttpResponse.json([])),
  http.get(`${origin}/offers`, () => HttpResponse.json([])),
  http.get(`${origin}/identity/me`, () => HttpResponse.json({})),
  http.patch(`${origin}/identity/me`, () => HttpResponse.json({})),
  http.get(`${origin}/config`, () => HttpResponse.json(config as unknown as JsonBodyType)),
);

/** A call that reached the server. */
interface Call {
  method: string;
  /** Path with its query. */
  url: string;
  authorization: string | null;
  body: unknown;
}

/** All calls of this test, in order. */
export const calls: Call[] = [];

/** The calls of one method and path (without query). */
export function callsTo(method: string, path: string): Call[] {
  return calls.filter((call) => call.method === method && call.url.split("?")[0] === path);
}

/** Starts the fake server for a test file. */
export function startServer(): void {
  let pending = 0;
  beforeAll(() => {
    server.listen({ onUnhandledRequest: "error" });
    server.events.on("request:start", () => {
      pending += 1;
    });
    server.events.on("request:end", () => {
      pending -= 1;
    });
  });
  afterEach(async () => {
    endScreen();
    await requestsEnd(() => pending);
    server.resetHandlers();
    calls.length = 0;
  });
  afterAll(() => server.close());
}

/**
 * Waits for the requests that a test left, and for those that their responses cause: they would reach the handlers of
 * the next test. A request that is never answered is not waited for.
 */
async function requestsEnd(pending: () => number): Promise<void> {
  for (let turns = 0, idleTurns = 0; turns < 100 && idleTurns < 20; turns++) {
    await nextTurn();
    idleTurns = pending() === 0 ? idleTurns + 1 : 0;
  }
}

async function recordCall(request: Request): Promise<void> {
  const { pathname, search } = new URL(request.url);
  const json = request.headers.get("content-type")?.includes("application/json");
  calls.push({
    method: request.method,
    url: pathname + search,
    authorization: request.headers.get("authorization"),
    body: json ? await request.clone().json() : null,
  });
}

type Method = "get" | "post" | "put" | "patch" | "delete";

/** A response: its body, and its status and headers unless they are the default ones. */
export interface MockResponse {
  status?: number;
  body?: JsonBodyType;
  headers?: Record<string, string>;
}

/** Sets the response to a call, e.g. on("put", "/bookings", { status: 409, body: {…} }); a function is called for each request. */
export function on(
  method: Method,
  path: string,
  response: MockResponse | ((request: Request) => MockResponse | Promise<MockResponse>),
): void {
  server.use(
    http[method](origin + path, async ({ request }) => {
      await recordCall(request);
      const {
        status = 200,
        body = null,
        headers,
      } = typeof response === "function" ? await response(request) : response;
      return HttpResponse.json(body, { status, headers });
    }),
  );
}

/** An error response in the server's format. */
export function errorResponse(
  status: number,
  message: string,
  fields?: Record<string, string>,
): MockResponse {
  return { status, body: { message, code: "test", ...(fields && { fields }) } };
}

/** Makes a call fail with a network error. */
export function onNetworkError(method: Method, path: string): void {
  server.use(http[method](origin + path, () => HttpResponse.error()));
}

/** The path of one entity, by the path of its list. */
const ENTITY_PATHS: Record<string, string> = { "/products": "/products", "/bookings": "/booking" };

/**
 * Sets the responses of a list, with the server's paging, and of its entities one by one. Entities that are added to
 * `items` are in the next response; the position is the number of responses.
 */
export function onList<T extends Entity>(path: string, topic: string | null, items: T[]): T[] {
  let responses = 0;
  const entityPath = ENTITY_PATHS[path];
  if (entityPath)
    server.use(
      http.get(`${origin}${entityPath}/:id`, async ({ request, params }) => {
        if (!/^[0-9a-f]{24}$/.test(String(params.id))) return undefined;
        await recordCall(request);
        const entity = items.find(({ _id }) => _id === params.id);
        if (entity) return HttpResponse.json(entity as unknown as JsonBodyType);
        return HttpResponse.json({ message: "Not found", code: "not_found" }, { status: 404 });
      }),
    );
  on("get", path, (request) => {
    responses += 1;
    const query = new URL(request.url).searchParams;
    const limit = Number(query.get("limit") ?? 200);
    const after = query.get("cursor");
    const sorted = items.toSorted((a, b) => (a._id < b._id ? 1 : -1));
    const rest = after ? sorted.filter(({ _id }) => _id < after) : sorted;
    const page = rest.slice(0, limit);
    const headers: Record<string, string> = { "X-Total-Count": String(items.length) };
    if (topic) headers["Live-Position"] = `${topic}=e1-${responses}`;
    if (rest.length > limit) {
      const next = new URLSearchParams({ limit: String(limit), cursor: page.at(-1)?._id ?? "" });
      headers.Link = `<${path}?${next}>; rel="next"`;
    }
    return { body: page as unknown as JsonBodyType, headers };
  });
  return items;
}

/** Sets the responses of the role lookups for one email. */
export function onRole(
  email: string,
  role: "admin" | "moderator" | "buyer" | "seller",
  isVerified = false,
): void {
  const address = encodeURIComponent(email);
  on("get", `/users/admin/${address}`, {
    body: role === "moderator" ? { isAdmin: true, isModerator: true } : { isAdmin: role === "admin" },
  });
  on("get", `/users/seller/${address}`, { body: { isSeller: role === "seller" } });
  on("get", `/users/buyer/${address}`, { body: { isBuyer: role === "buyer" } });
  on("get", `/users/verified/${address}`, { body: { isVerified } });
}

/** Sets the client's settings. */
export function onConfig(overrides: Partial<typeof config> = {}): void {
  on("get", "/config", { body: { ...config, ...overrides } as unknown as JsonBodyType });
}
