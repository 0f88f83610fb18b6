import { act, render } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { tokenReceived } from "@/api/session";
import { SessionManager } from "@/features/auth/SessionManager";
import { aToken } from "@/testing/app";
import { apple, config, karim } from "@/testing/factories";
import { FakeSocket, fakeSockets } from "@/testing/socket";
import { AnnouncerProvider, ToastProvider } from "@/ui";
import { LiveProvider } from "./live";
import { Screens } from "./Screens";
import { makeStore } from "./store";

/** How long each is watched, milliseconds. */
const WATCHED_MS = 600_000;
/** At half a minute a call and a few at the start. */
const MOST = 40;

/** A call that nobody could stop would never let a test end. */
const ENOUGH = 500;

/** When the call that fails was made, milliseconds. */
let asked: number[] = [];

/** What the server answers where nothing fails, by path; a list where nothing is said. */
function bodyOf(path: string, role: "buyer" | "seller" | "admin"): unknown {
  if (path === "/config") return config;
  if (path === "/identity/me") return karim;
  if (path === "/jwt") return { accessToken: aToken(660) };
  if (path.startsWith("/users/admin/")) return { isAdmin: role === "admin" };
  if (path.startsWith("/users/seller/")) return { isSeller: role === "seller" };
  if (path.startsWith("/users/buyer/")) return { isBuyer: role === "buyer" };
  if (path.startsWith("/users/verified/")) return { isVerified: true };
  return [];
}

interface Failing {
  /** The start of the path of what fails. */
  path: string;
  /** 0: the network. */
  status: number;
  /** Answers so many times first. */
  after?: number;
  role?: "buyer" | "seller" | "admin";
}

function serve({ path, status, after = 0, role = "buyer" }: Failing) {
  let left = after;
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET" && pathname.startsWith(path) && left-- <= 0) {
      asked.push(Date.now());
      if (asked.length > ENOUGH) return new Promise<never>(() => undefined);
      if (status === 0) throw new TypeError("no answer");
      const headers = { "Retry-After": status === 429 ? "20" : "1" };
      return Response.json({ message: "No", code: "test" }, { status, ...(status >= 429 && { headers }) });
    }
    const topic = pathname.startsWith("/categories/") ? `brand:${apple._id}` : pathname.slice(1);
    const headers = { "Live-Position": `${topic}=e1-1`, "X-Total-Count": "0" };
    return Response.json(bodyOf(pathname, role), { headers });
  });
}

/** The whole client at an address, signed in or not, its socket included. */
function open(at: string, signedIn: boolean) {
  const store = makeStore();
  if (signedIn) store.dispatch(tokenReceived(aToken(660)));
  return render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[at]}>
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

/** The event loop's own, taken before the clock is faked. */
const nextTurn = globalThis.setTimeout;

/** Lets time pass; `play` is the server's side of the socket, each second. */
async function watch(ms: number, play: (socket: FakeSocket) => void = greetNew) {
  for (let at = 0; at < ms; at += 1000) {
    // A screen's code comes by the event loop's own turns.
    if (at < 10_000) for (let i = 0; i < 5; i++) await act(() => new Promise<void>((d) => void nextTurn(d)));
    await act(() => vi.advanceTimersByTimeAsync(1000));
    const socket = FakeSocket.all.at(-1);
    if (socket) act(() => play(socket));
  }
}

/** Greets a new socket, and keeps an old one alive. */
function greetNew(socket: FakeSocket): void {
  if (socket.readyState === FakeSocket.CONNECTING) socket.greet();
  else if (Date.now() % 25_000 < 1000 && socket.readyState === FakeSocket.OPEN) socket.say({});
}

beforeAll(async () => {
  // The code of the screens, so that it does not come in the middle of the watch.
  await Promise.all([
    import("./live/LiveConnection"),
    import("./RequireUser"),
    import("@/features/catalog/Categories"),
    import("./routes/CategoryRoute"),
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
    import("@/features/pages/NotFound"),
  ]);
}, 60_000);
beforeEach(() => {
  asked = [];
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "Date", "requestAnimationFrame", "cancelAnimationFrame"],
  });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  fakeSockets();
});
afterEach(() => {
  vi.useRealTimers();
});

const STATUSES = [401, 403, 404, 422, 429, 500, 503, 0];

/** Each kind of query, and a screen that asks it. */
const QUERIES: [kind: string, path: string, at: string, signedIn: boolean, role?: Failing["role"]][] = [
  ["Home's list, for a visitor", "/products/advertised", "/", false],
  ["Home's list", "/products/advertised", "/", true],
  ["the brands", "/categories", "/", true],
  ["all brands", "/allCategories", "/categories", false],
  ["a brand's list", "/categories/", `/category/${apple._id}`, true],
  ["a search", "/products/search", "/search?q=phone", true],
  ["a phone", "/products/019", "/phone/019", true],
  ["a buyer's orders", "/bookings", "/dashboard/myOrders", true],
  ["an order", "/booking/", "/dashboard/payment/019", true],
  ["a seller's phones", "/products", "/dashboard/myProducts", true, "seller"],
  ["an admin's table", "/users/buyers", "/dashboard/allBuyers", true, "admin"],
  ["what is kept on a person", "/identity/data", "/dashboard/account", true],
  ["the role", "/users/buyer/", "/dashboard", true],
  ["the settings", "/config", "/contact", true],
  ["the session", "/identity/me", "/", true],
  ["the access token", "/jwt", "/", true],
];

describe.each(QUERIES)("%s", (_, path, at, signedIn, role) => {
  it.each(STATUSES)("that is answered with %i is repeated after growing pauses", async (status) => {
    serve({ path, status, role });
    open(at, signedIn);
    await watch(WATCHED_MS);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(MOST);
  });
});

describe("a list that has to be refetched after a gap", () => {
  it.each(STATUSES)("and is answered with %i is refetched after growing pauses", async (status) => {
    serve({ path: "/categories/", status, after: 1 });
    open(`/category/${apple._id}`, true);
    await watch(5000);
    const topic = `brand:${apple._id}`;
    FakeSocket.now.say({ subscribed: { [topic]: "e1-1" } });
    act(() => FakeSocket.now.say({ resync: [topic] }));
    await watch(WATCHED_MS);
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.length).toBeLessThanOrEqual(MOST);
    const pauses = asked.slice(1).map((time, i) => time - (asked[i] as number));
    if (status === 429) expect(Math.min(...pauses)).toBeGreaterThanOrEqual(20_000);
    else expect(Math.max(...pauses)).toBeGreaterThan(3 * Math.max(...pauses.slice(0, 2)));
  });

  it("is refetched after growing pauses while gaps go on, whatever the response", async () => {
    serve({ path: "/categories/", status: 0, after: Number.POSITIVE_INFINITY });
    const spy = vi.spyOn(globalThis, "fetch");
    open(`/category/${apple._id}`, true);
    await watch(5000);
    const topic = `brand:${apple._id}`;
    FakeSocket.now.say({ subscribed: { [topic]: "e1-1" } });
    spy.mockClear();
    await watch(WATCHED_MS, (socket) => socket.say({ resync: [topic] }));
    const lists = spy.mock.calls.filter(([request]) => (request as Request).url.includes("/categories/"));
    expect(lists.length).toBeGreaterThan(2);
    expect(lists.length).toBeLessThanOrEqual(MOST);
  });
});

describe("a connection that breaks again and again", () => {
  it.each([1006, 1012, 4401, 4408])("(%i) is repeated after growing pauses", async (code) => {
    serve({ path: "/nothing", status: 0 });
    open("/", true);
    await watch(WATCHED_MS, (socket) => {
      greetNew(socket);
      if (socket.readyState === FakeSocket.OPEN) socket.drop(code);
    });
    expect(FakeSocket.all.length).toBeGreaterThan(3);
    expect(FakeSocket.all.length).toBeLessThanOrEqual(MOST);
  });
});

it("a call that never reaches the server does not replace the connection each time", async () => {
  let hangs = 0;
  serve({ path: "/nothing", status: 0 });
  const served = globalThis.fetch as (request: Request) => Promise<Response>;
  vi.stubGlobal("fetch", async (request: Request) => {
    if (!request.url.endsWith("/categories")) return served(request);
    hangs += 1;
    await new Promise((done) => setTimeout(done, 5000));
    throw new TypeError("no answer");
  });
  open("/", true);
  await watch(WATCHED_MS);
  expect(hangs).toBeLessThanOrEqual(10);
  expect(FakeSocket.all.length).toBeLessThanOrEqual(10);
});
