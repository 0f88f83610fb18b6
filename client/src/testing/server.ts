import { HttpResponse, http, type JsonBodyType } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Entity } from "@/lib/live";
import { config } from "./factories";

/** The network of the tests; a call without a handler fails the test. */
export const server = setupServer();

const origin = "http://localhost:8080";

/** A call that reached the server. */
export interface Call {
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

/** Starts the network for a test file. */
export function startServer(): void {
  beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
  afterEach(() => {
    server.resetHandlers();
    calls.length = 0;
  });
  afterAll(() => server.close());
}

async function note(request: Request): Promise<void> {
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
export interface Answer {
  status?: number;
  body?: JsonBodyType;
  headers?: Record<string, string>;
}

/** Answers a call, e.g. on("put", "/bookings", { status: 409, body: {…} }); a function is called for each request. */
export function on(
  method: Method,
  path: string,
  answer: Answer | ((request: Request) => Answer | Promise<Answer>),
): void {
  server.use(
    http[method](origin + path, async ({ request }) => {
      await note(request);
      const {
        status = 200,
        body = null,
        headers,
      } = typeof answer === "function" ? await answer(request) : answer;
      return HttpResponse.json(body, { status, headers });
    }),
  );
}

/** A refusal in the form of the server's. */
export function refusal(status: number, message: string, fields?: Record<string, string>): Answer {
  return { status, body: { message, code: "test", ...(fields && { fields }) } };
}

/** The call is made and gets no response. */
export function unreachable(method: Method, path: string): void {
  server.use(http[method](origin + path, () => HttpResponse.error()));
}

/** The paths of one entity of these lists. */
const SINGLE: Record<string, string> = { "/products": "/products", "/bookings": "/booking" };

/**
 * A list with pages like the server's, and its entities one by one. Entities that are added to `items` are in the next
 * response; the position counts the responses.
 */
export function onList<T extends Entity>(path: string, topic: string | null, items: T[]): T[] {
  let answers = 0;
  const single = SINGLE[path];
  if (single)
    server.use(
      http.get(`${origin}${single}/:id`, async ({ request, params }) => {
        if (!/^[0-9a-f]{24}$/.test(String(params.id))) return undefined;
        await note(request);
        const one = items.find(({ _id }) => _id === params.id);
        if (one) return HttpResponse.json(one as unknown as JsonBodyType);
        return HttpResponse.json({ message: "Not there", code: "not_found" }, { status: 404 });
      }),
    );
  on("get", path, (request) => {
    answers += 1;
    const query = new URL(request.url).searchParams;
    const limit = Number(query.get("limit") ?? 200);
    const after = query.get("cursor");
    const sorted = items.toSorted((a, b) => (a._id < b._id ? 1 : -1));
    const rest = after ? sorted.filter(({ _id }) => _id < after) : sorted;
    const page = rest.slice(0, limit);
    const headers: Record<string, string> = { "X-Total-Count": String(items.length) };
    if (topic) headers["Live-Position"] = `${topic}=e1-${answers}`;
    if (rest.length > limit) {
      const next = new URLSearchParams({ limit: String(limit), cursor: page.at(-1)?._id ?? "" });
      headers.Link = `<${path}?${next}>; rel="next"`;
    }
    return { body: page as unknown as JsonBodyType, headers };
  });
  return items;
}

/** The role lookups for one e-mail. */
export function onRole(email: string, role: "admin" | "buyer" | "seller", isVerified = false): void {
  const address = encodeURIComponent(email);
  on("get", `/users/admin/${address}`, { body: { isAdmin: role === "admin" } });
  on("get", `/users/seller/${address}`, { body: { isSeller: role === "seller" } });
  on("get", `/users/buyer/${address}`, { body: { isBuyer: role === "buyer" } });
  on("get", `/users/verified/${address}`, { body: { isVerified } });
}

/** The client's settings. */
export function onConfig(over: Partial<typeof config> = {}): void {
  on("get", "/config", { body: { ...config, ...over } as unknown as JsonBodyType });
}
