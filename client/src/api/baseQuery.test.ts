import { waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { aProduct, karim } from "@/testing/factories";
import {
  calls,
  callsTo,
  errorResponse,
  on,
  onList,
  onNetworkError,
  server,
  startServer,
} from "@/testing/server";
import { storeOf } from "@/testing/serverScreen";
import * as t from "@/texts/api";
import { baseQuery, type Call } from "./baseQuery";
import { type ApiError, errorMessage } from "./errors";

startServer();

function call(args: string | Call, store = storeOf(karim), method = "GET") {
  const { dispatch, getState } = store;
  const extra = dispatch((_dispatch, _getState, thunkExtra) => thunkExtra);
  const api = {
    dispatch,
    getState,
    signal: new AbortController().signal,
    abort: () => undefined,
    extra,
    endpoint: "test",
    type: "query" as const,
  };
  return baseQuery(typeof args === "string" ? { url: args, method } : args, api, {});
}

const errorOf = async (...args: Parameters<typeof call>) => (await call(...args)).error as ApiError;

describe("a request", () => {
  it("has the bearer token and accepts JSON", async () => {
    server.use(
      http.get("http://localhost:8080/categories", ({ request }) => {
        return HttpResponse.json(Object.fromEntries(request.headers));
      }),
    );
    const { data } = await call("/categories");
    expect(data).toMatchObject({ authorization: "Bearer test-token", accept: "application/json" });
  });

  it("has no token for a visitor", async () => {
    on("get", "/categories", { body: [] });
    await call("/categories", storeOf(null));
    expect(calls[0]?.authorization).toBeNull();
  });

  it("that requires a session is not sent after the session has ended", async () => {
    on("get", "/categories/1", { body: [] });
    const args = { url: "/categories/1", requiresSession: true };
    expect(await errorOf(args, storeOf(null))).toMatchObject({ status: 401 });
    expect(calls).toEqual([]);
  });

  it.each(["https://elsewhere.example.com/x", "//elsewhere.example.com/x", "x"])(
    "to another origin (%s) is refused and not sent",
    async (url) => {
      expect(await errorOf(url)).toMatchObject({ status: 0, code: "foreign_origin" });
      expect(calls).toEqual([]);
    },
  );

  it("returns the parsed headers of a list", async () => {
    on("get", "/products", {
      body: [],
      headers: {
        "X-Total-Count": "312",
        Link: '</products?email=a%40b&limit=2&cursor=c%2F1>; rel="next"',
        "Live-Position": "me=e1=7",
        "X-Searched": "q=nokia&maxPrice=300",
        "X-Left-Out": "%CF%83%CE%B9 5g",
      },
    });
    const { meta } = await call("/products");
    expect(meta).toEqual({
      status: 200,
      total: 312,
      nextCursor: "c/1",
      searched: "q=nokia&maxPrice=300",
      leftOut: ["σι", "5g"],
      live: { topic: "me", position: "e1=7" },
    });
  });

  it("returns null for missing headers", async () => {
    on("get", "/products", { body: [] });
    expect((await call("/products")).meta).toEqual({
      status: 200,
      total: null,
      searched: null,
      leftOut: [],
      nextCursor: null,
      live: null,
    });
  });
});

describe("an error", () => {
  it("has the server's message, code and fields", async () => {
    on("put", "/bookings", {
      status: 422,
      body: { acknowledged: false, message: "Look again", code: "invalid", fields: { phone: "is missing" } },
    });
    expect(await errorOf("/bookings", storeOf(karim), "PUT")).toEqual({
      status: 422,
      message: "Look again",
      code: "invalid",
      fields: { phone: "is missing" },
    });
  });

  it("without a server message has our own message", async () => {
    server.use(http.get("http://localhost:8080/x", () => new HttpResponse("<html>", { status: 502 })));
    expect(await errorOf("/x")).toEqual({ status: 502, message: t.serverError, code: "unknown" });
  });

  it("of the network has the code network", async () => {
    onNetworkError("get", "/x");
    expect(await errorOf("/x")).toEqual({ status: 0, message: t.unreachable, code: "network" });
  });

  it("while the device is offline says so, and of a write that it was not sent", async () => {
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    onNetworkError("get", "/x");
    onNetworkError("put", "/x");
    expect(await errorOf("/x")).toEqual({ status: 0, message: t.offlineRead, code: "offline" });
    expect(await errorOf("/x", storeOf(karim), "PUT")).toMatchObject({ message: t.offline, code: "offline" });
  });

  it("of our own code keeps its message", () => {
    expect(errorMessage(new Error("oops"))).toBe("oops");
    expect(errorMessage(undefined)).toBe(t.serverError);
  });
});

describe("401 and 403", () => {
  it.each([
    ["/bookings?email=a", 401],
    ["/products?email=a", 403],
    ["/products/advertised", 401],
  ])("on GET %s (%i) log the user out", async (url, status) => {
    on("get", url.split("?")[0] ?? "", errorResponse(status, "Please log in again"));
    on("post", "/identity/sign-out", { status: 200 });
    const store = storeOf(karim);
    await call(url, store);
    expect(store.getState().session.accessToken).toBeNull();
    await waitFor(() => expect(callsTo("POST", "/identity/sign-out")).toHaveLength(1));
  });

  it.each([
    ["get", "/users/buyers"],
    ["get", "/categories/1"],
    ["get", "/products/advertised/x"],
    ["put", "/bookings"],
    ["post", "/products"],
  ] as const)("on %s %s do not: the server is asked whether the session is valid", async (method, url) => {
    on(method, url, errorResponse(401, "Please log in again"));
    on("get", "/identity/me", { body: { ...karim } });
    const store = storeOf(karim);
    await call(url, store, method.toUpperCase());
    await waitFor(() => expect(callsTo("GET", "/identity/me")).toHaveLength(1));
    expect(store.getState().session.accessToken).toBe("test-token");
  });

  it("are the only statuses that log the user out", async () => {
    onList("/products", "me", [aProduct()]);
    on("get", "/bookings", errorResponse(503, "Please try again in a moment"));
    const store = storeOf(karim);
    await call("/bookings", store);
    await call("/products", store);
    expect(store.getState().session.accessToken).toBe("test-token");
  });
});
