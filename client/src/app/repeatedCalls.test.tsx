import { act, render } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { tokenReceived } from "@/api/sessionSlice";
import { SessionManager } from "@/features/auth/SessionManager";
import { aToken } from "@/testing/app";
import { apple, config, karim } from "@/testing/factories";
import { nextTurn } from "@/testing/nextTurn";
import { FakeSocket, fakeSockets } from "@/testing/socket";
import { AnnouncerProvider, ToastProvider } from "@/ui";
import { LiveProvider } from "./live";
import { Screens } from "./Screens";
import { makeStore } from "./store";

/** The observed time of each test, milliseconds. */
const DURATION_MS = 600_000;
/** One request in 30 s, and a few more at the start. */
const MAX_REQUESTS = 40;

/** After this many requests the fake server stops responding, so that the test ends. */
const HARD_LIMIT = 500;

/** When the failing request was sent, milliseconds. */
let requestTimes: number[] = [];

/** The body of a successful response, by path; an empty list by default. */
function defaultBody(path: string, role: "buyer" | "seller" | "admin"): unknown {
  if (path === "/config") return config;
  if (path === "/identity/me") return karim;
  if (path === "/jwt") return { accessToken: aToken(660) };
  if (path.startsWith("/users/admin/")) return { isAdmin: role === "admin" };
  if (path.startsWith("/users/seller/")) return { isSeller: role === "seller" };
  if (path.startsWith("/users/buyer/")) return { isBuyer: role === "buyer" };
  if (path.startsWith("/users/verified/")) return { isVerified: true };
  return [];
}

interface Failure {
  /** The start of the path of the requests that fail. */
  path: string;
  /** 0 for a network error. */
  status: number;
  /** The number of successful responses before. */
  failsAfter?: number;
  role?: "buyer" | "seller" | "admin";
}

function fakeServer({ path, status, failsAfter = 0, role = "buyer" }: Failure) {
  let successesLeft = failsAfter;
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET" && pathname.startsWith(path) && successesLeft-- <= 0) {
      requestTimes.push(Date.now());
      if (requestTimes.length > HARD_LIMIT) return new Promise<never>(() => undefined);
      if (status === 0) throw new TypeError("network error");
      const headers = { "Retry-After": status === 429 ? "20" : "1" };
      return Response.json({ message: "No", code: "test" }, { status, ...(status >= 429 && { headers }) });
    }
    const topic = pathname.startsWith("/categories/") ? `brand:${apple._id}` : pathname.slice(1);
    const headers = { "Live-Position": `${topic}=e1-1`, "X-Total-Count": "0" };
    return Response.json(defaultBody(pathname, role), { headers });
  });
}

/** Renders the whole client with its socket at a path, signed in or not. */
function renderClient(path: string, signedIn: boolean) {
  const store = makeStore();
  if (signedIn) store.dispatch(tokenReceived(aToken(660)));
  return render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[path]}>
        <ToastProvider>
          <AnnouncerProvider>
            <LiveProvider>
              <SessionManager />
              <Screens />
            </LiveProvider>
          </AnnouncerProvider>
        </ToastProvider>
      </MemoryRouter>
    </Provider>,
  );
}

/** Advances the clock; `onSecond` is called each second with the socket and acts as its server. */
async function advance(ms: number, onSecond: (socket: FakeSocket) => void = keepAlive) {
  for (let time = 0; time < ms; time += 1000) {
    // The code of a screen is loaded in real turns of the event loop, not by the fake clock.
    if (time < 10_000) for (let i = 0; i < 5; i++) await act(nextTurn);
    await act(() => vi.advanceTimersByTimeAsync(1000));
    const socket = FakeSocket.all.at(-1);
    if (socket) act(() => onSecond(socket));
  }
}

/** Accepts a new socket, and sends heartbeats to an open one. */
function keepAlive(socket: FakeSocket): void {
  if (socket.readyState === FakeSocket.CONNECTING) socket.accept();
  else if (Date.now() % 25_000 < 1000 && socket.readyState === FakeSocket.OPEN) socket.receive({});
}

beforeAll(async () => {
  // Loads the code of the screens in advance, so that it is not loaded during a test.
  await Promise.all([
    import("./live/LiveConnection"),
    import("./RequireUser"),
    import("@/features/catalog/Categories"),
    import("./routes/CategoryRoute"),
    import("./routes/ContactRoute"),
    import("./routes/SearchRoute"),
    import("./routes/PhoneRoute"),
    import("./routes/DashboardRoute"),
    import("./routes/HomeRest"),
    import("./routes/OverviewRoute"),
    import("@/features/orders/MyOrders"),
    import("@/features/account/Account"),
    import("@/features/payment/Payment"),
    import("@/features/selling/AddProduct"),
    import("@/features/selling/EditPhone"),
    import("@/features/selling/MyProducts"),
    import("@/features/admin/AllBuyers"),
    import("@/features/admin/AllSellers"),
    import("@/features/admin/ReportedItems"),
    import("@/features/admin/AuditTrail"),
    import("./routes/AdminOrdersRoute"),
    import("@/features/pages/NotFound"),
  ]);
}, 60_000);
beforeEach(() => {
  requestTimes = [];
  vi.useFakeTimers({
    toFake: [
      "setTimeout",
      "clearTimeout",
      "setInterval",
      "clearInterval",
      "Date",
      "performance",
      "requestAnimationFrame",
      "cancelAnimationFrame",
    ],
  });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  fakeSockets();
});
afterEach(() => {
  vi.useRealTimers();
});

const STATUSES = [401, 403, 404, 422, 429, 500, 503, 0];

/** Each kind of query, and a screen that sends it. */
const QUERIES: [kind: string, path: string, at: string, signedIn: boolean, role?: Failure["role"]][] = [
  ["a query for the advertised phones, of a visitor,", "/products/advertised", "/", false],
  ["a query for the advertised phones", "/products/advertised", "/", true],
  ["a query for the brands with phones", "/categories", "/", true],
  ["a query for all brands", "/allCategories", "/categories", false],
  ["a query for a brand's phones", "/categories/", `/category/${apple._id}`, true],
  ["a search", "/products/search", "/search?q=phone", true],
  ["a query for a phone", "/products/019", "/phone/019", true],
  ["a query for the buyer's orders", "/bookings", "/dashboard/myOrders", true],
  ["a query for an order", "/booking/", "/dashboard/payment/019", true],
  ["a query for the seller's phones", "/products", "/dashboard/myProducts", true, "seller"],
  ["a query for an admin's table", "/users/buyers", "/dashboard/allBuyers", true, "admin"],
  ["a query for the personal data", "/identity/data", "/dashboard/account", true],
  ["a query for the role", "/users/buyer/", "/dashboard", true],
  ["a query for the settings", "/config", "/contact", true],
  ["a query for the session", "/identity/me", "/", true],
  ["a query for the access token", "/jwt", "/", true],
];

describe.each(QUERIES)("%s", (_, path, at, signedIn, role) => {
  it.each(STATUSES)("that fails with %i is repeated after growing delays", async (status) => {
    fakeServer({ path, status, role });
    renderClient(at, signedIn);
    await advance(DURATION_MS);
    expect(requestTimes.length).toBeGreaterThan(0);
    expect(requestTimes.length).toBeLessThanOrEqual(MAX_REQUESTS);
  });
});

describe("a list", () => {
  it.each(STATUSES.filter((status) => status !== 401))(
    "whose refetch after a resync fails with %i is refetched after growing delays",
    async (status) => {
      fakeServer({ path: "/categories/", status, failsAfter: 1 });
      renderClient(`/category/${apple._id}`, true);
      await advance(5000);
      const topic = `brand:${apple._id}`;
      FakeSocket.latest.receive({ subscribed: { [topic]: "e1-1" } });
      act(() => FakeSocket.latest.receive({ resync: [topic] }));
      await advance(DURATION_MS);
      expect(requestTimes.length).toBeGreaterThan(3);
      expect(requestTimes.length).toBeLessThanOrEqual(MAX_REQUESTS);
      const intervals = requestTimes.slice(1).map((time, i) => time - (requestTimes[i] as number));
      if (status === 429) expect(Math.min(...intervals)).toBeGreaterThanOrEqual(20_000);
      else expect(Math.max(...intervals)).toBeGreaterThan(3 * Math.max(...intervals.slice(0, 2)));
    },
  );

  it("whose refetch is refused with a new token, too, is not asked for again: the session has ended", async () => {
    fakeServer({ path: "/categories/", status: 401, failsAfter: 1 });
    renderClient(`/category/${apple._id}`, true);
    await advance(5000);
    const topic = `brand:${apple._id}`;
    FakeSocket.latest.receive({ subscribed: { [topic]: "e1-1" } });
    act(() => FakeSocket.latest.receive({ resync: [topic] }));
    await advance(DURATION_MS);
    expect(requestTimes).toHaveLength(2);
  });

  it("is refetched after growing delays while resyncs continue", async () => {
    fakeServer({ path: "/categories/", status: 0, failsAfter: Number.POSITIVE_INFINITY });
    const spy = vi.spyOn(globalThis, "fetch");
    renderClient(`/category/${apple._id}`, true);
    await advance(5000);
    const topic = `brand:${apple._id}`;
    FakeSocket.latest.receive({ subscribed: { [topic]: "e1-1" } });
    spy.mockClear();
    await advance(DURATION_MS, (socket) => socket.receive({ resync: [topic] }));
    const lists = spy.mock.calls.filter(([request]) => (request as Request).url.includes("/categories/"));
    expect(lists.length).toBeGreaterThan(2);
    expect(lists.length).toBeLessThanOrEqual(MAX_REQUESTS);
  });
});

describe("a connection", () => {
  it.each([1006, 1012, 4401, 4408])(
    "that is closed repeatedly with %i is reopened after growing delays",
    async (code) => {
      fakeServer({ path: "/none", status: 0 });
      renderClient("/", true);
      await advance(DURATION_MS, (socket) => {
        keepAlive(socket);
        if (socket.readyState === FakeSocket.OPEN) socket.closeByServer(code);
      });
      expect(FakeSocket.all.length).toBeGreaterThan(3);
      expect(FakeSocket.all.length).toBeLessThanOrEqual(MAX_REQUESTS);
    },
  );
});

it("a request that never reaches the server does not replace the connection each time", async () => {
  let timeouts = 0;
  fakeServer({ path: "/none", status: 0 });
  const respond = globalThis.fetch as (request: Request) => Promise<Response>;
  vi.stubGlobal("fetch", async (request: Request) => {
    if (!request.url.endsWith("/categories")) return respond(request);
    timeouts += 1;
    await new Promise((done) => setTimeout(done, 5000));
    throw new TypeError("network error");
  });
  renderClient("/", true);
  await advance(DURATION_MS);
  expect(timeouts).toBeLessThanOrEqual(10);
  expect(FakeSocket.all.length).toBeLessThanOrEqual(10);
});
