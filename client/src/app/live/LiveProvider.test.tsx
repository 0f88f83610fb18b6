import { act, render, screen } from "@testing-library/react";
import { memo, useCallback } from "react";
import { Provider } from "react-redux";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "@/api/api";
import { NETWORK_ERROR_EVENT } from "@/api/baseQuery";
import { liveList, type PageArg } from "@/api/liveList";
import { useRole } from "@/api/role";
import { loggedOut, tokenReceived } from "@/api/session";
import type { Product } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import { useListEntity, useListIds } from "@/api/useListIds";
import type { AppStore } from "@/app/store";
import { usePayableBooking } from "@/features/payment/usePayableBooking";
import { RESTART_JITTER_MS } from "@/lib/live/backoff";
import { aBooking, anEvent, aProduct, karim, salma } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, onNetworkError, onRole, startServer } from "@/testing/server";
import { storeOf } from "@/testing/serverScreen";
import { FakeSocket, fakeSockets } from "@/testing/socket";
import { AnnouncerProvider } from "@/ui";
import { LiveProvider } from ".";
import { ConnectionBanner, DELAY_MS, RECONNECTED_MS } from "./ConnectionBanner";

const TOPIC = "brand:019a00000000a00000000001";

const testApi = api.injectEndpoints({
  endpoints: (build) => ({
    testPhones: build.query(liveList<Product, PageArg>("brandProducts", () => "/test/phones")),
  }),
});
const { testPhones } = testApi.endpoints;
const ALL = {};

/** A screen with a list of phones. */
function Phones() {
  const { list } = useList(testPhones, ALL);
  return (
    <ul>
      {rowsOf(list).map(({ _id, name, booked }) => (
        <li key={_id}>
          {name} {booked ? "booked" : "available"}
        </li>
      ))}
    </ul>
  );
}

function renderConnected(store: AppStore, content = <Phones />) {
  return render(
    <Provider store={store}>
      <AnnouncerProvider>
        <LiveProvider>
          {content}
          <ConnectionBanner />
        </LiveProvider>
      </AnnouncerProvider>
    </Provider>,
  );
}

const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const onServer = (what: () => void) => act(async () => what());

/** The real setTimeout, from before the clock is faked. */
const realSetTimeout = globalThis.setTimeout;

/** Waits for pending responses: the fake server uses real turns of the event loop, not the fake clock. */
async function settle() {
  for (let i = 0; i < 20; i++) await act(() => new Promise<void>((done) => void realSetTimeout(done)));
  // The store notifies its subscribers in the next animation frame.
  await advance(20);
}

/** The server accepts the new socket. */
async function acceptSocket() {
  await advance(0);
  await onServer(() => FakeSocket.latest.accept());
}

/** Waits until the client opens a socket: the delay is random, and a token may be renewed first. */
async function waitForSocket() {
  for (let s = 0; s < 60 && FakeSocket.latest.readyState !== FakeSocket.CONNECTING; s++) {
    await advance(1000);
    await settle();
  }
}

startServer();
beforeAll(() => import("./LiveConnection"));
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "Date", "requestAnimationFrame", "cancelAnimationFrame"],
  });
  fakeSockets();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A live connection with a list of phones on the screen, whose topic is confirmed. */
async function setUp(...phones: Product[]) {
  onRole(karim.email, "buyer");
  const items = onList("/test/phones", TOPIC, phones);
  const store = storeOf(karim);
  const view = renderConnected(store);
  await acceptSocket();
  await settle();
  await advance(200);
  await onServer(() => FakeSocket.latest.receive({ subscribed: { me: "e1-0", [TOPIC]: "e1-1" } }));
  return { store, items, view };
}

const rowTexts = () => screen.queryAllByRole("listitem").map(({ textContent }) => textContent);

describe("the live connection", () => {
  it("is one socket on the own origin, with the token as a subprotocol and not in the URL", async () => {
    await setUp();
    expect(FakeSocket.all).toHaveLength(1);
    expect(FakeSocket.latest.url).toBe("ws://localhost:8080/live");
    expect(FakeSocket.latest.protocols).toEqual(["secondring.v1", "bearer.test-token"]);
  });

  it("subscribes to a list's topic from the position of its response", async () => {
    await setUp(aProduct());
    expect(FakeSocket.latest.subscribeFrames).toContainEqual({ [TOPIC]: "e1-1" });
  });

  it("shows a phone as booked within 250 ms of the event, and announces it", async () => {
    const phone = aProduct({ name: "iPhone 6" });
    await setUp(phone);
    expect(rowTexts()).toEqual(["iPhone 6 available"]);
    const booked = { ...phone, version: 2, booked: true };
    await onServer(() => FakeSocket.latest.receiveEvents(anEvent(TOPIC, "product.booked", booked)));
    await advance(250);
    expect(rowTexts()).toEqual(["iPhone 6 booked"]);
    await advance(1000);
    expect(screen.getByRole("log")).toHaveTextContent("iPhone 6 was just booked");
  });

  it("announces the number of changes when there are several", async () => {
    const phones = [aProduct(), aProduct(), aProduct()];
    await setUp(...phones);
    const events = phones.map((phone) => anEvent(TOPIC, "product.booked", { ...phone, version: 2 }));
    await onServer(() => FakeSocket.latest.receiveEvents(...events));
    await advance(1250);
    expect(screen.getByRole("log")).toHaveTextContent("3 phones changed");
  });

  it("resumes after a gap, and the list is up to date without a request", async () => {
    const phone = aProduct({ name: "iPhone 6" });
    await setUp(phone);
    onNetworkError("get", "/jwt");
    onNetworkError("get", "/identity/me");
    for (let i = 0; i < 5; i++) {
      await onServer(() => FakeSocket.latest.closeByServer());
      await advance(20_000);
      await settle();
    }
    await onServer(() => window.dispatchEvent(new Event("online")));
    await waitForSocket();
    await acceptSocket();
    expect(FakeSocket.latest.subscribeFrames).toContainEqual({ me: "e1-0", [TOPIC]: "e1-1" });
    await onServer(() => FakeSocket.latest.receive({ subscribed: { me: "e1-0", [TOPIC]: "e1-9" } }));
    const booked = { ...phone, version: 2, booked: true };
    await onServer(() => FakeSocket.latest.receiveEvents(anEvent(TOPIC, "product.booked", booked)));
    await advance(250);
    expect(rowTexts()).toEqual(["iPhone 6 booked"]);
  });

  it("refetches the list after a resync", async () => {
    const phone = aProduct({ name: "iPhone 6" });
    const { items } = await setUp(phone);
    items[0] = { ...phone, version: 5, booked: true };
    items.push(aProduct({ name: "Nexus 5" }));
    await onServer(() => FakeSocket.latest.receive({ resync: [TOPIC] }));
    await settle();
    expect(rowTexts()).toEqual(["Nexus 5 available", "iPhone 6 booked"]);
  });

  it("keeps the state of an event when an older response arrives later", async () => {
    const phone = aProduct({ name: "iPhone 6" });
    await setUp(phone);
    const booked = { ...phone, version: 2, booked: true };
    await onServer(() => FakeSocket.latest.receiveEvents(anEvent(TOPIC, "product.booked", booked)));
    await advance(250);
    // The response still has version 1.
    await onServer(() => FakeSocket.latest.receive({ resync: [TOPIC] }));
    await settle();
    expect(rowTexts()).toEqual(["iPhone 6 booked"]);
  });

  it("sends a renewed token on the same socket", async () => {
    const { store } = await setUp();
    await act(async () => void store.dispatch(tokenReceived("renewed")));
    expect(FakeSocket.all).toHaveLength(1);
    expect(FakeSocket.latest.sent.at(-1)).toEqual({ token: "renewed" });
  });

  it("reconnects as a visitor after signing out", async () => {
    const { store } = await setUp();
    on("post", "/identity/sign-out", { status: 200 });
    await act(async () => void store.dispatch(loggedOut()));
    await advance(10);
    expect(FakeSocket.latest.protocols).toEqual(["secondring.v1"]);
  });

  it("closes when the page is left", async () => {
    const { view } = await setUp();
    view.unmount();
    expect(FakeSocket.latest.readyState).toBe(FakeSocket.CLOSED);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });
});

describe("the user's own topic", () => {
  function Verified() {
    const { isVerified } = useRole();
    return <p>{isVerified ? "verified" : "not verified"}</p>;
  }

  it("sets the verified flag on the open screen", async () => {
    onRole(salma.email, "seller");
    renderConnected(storeOf(salma), <Verified />);
    await settle();
    expect(screen.getByText("not verified")).toBeVisible();
    await acceptSocket();
    await advance(200);
    await onServer(() => FakeSocket.latest.receive({ subscribed: { me: "e1-0" } }));
    await settle();
    const user = { _id: "u1", version: 2, email: salma.email, status: "verified" };
    await onServer(() => FakeSocket.latest.receiveEvents(anEvent("me", "seller.verified", user)));
    await advance(300);
    expect(screen.getByText("verified")).toBeVisible();
    const renamed = { ...user, version: 3, status: undefined };
    await onServer(() => FakeSocket.latest.receiveEvents(anEvent("me", "seller.verified", renamed)));
    await advance(300);
    expect(screen.getByText("not verified")).toBeVisible();
  });

  it("refetches the flag when it is confirmed, since the flag may have changed before", async () => {
    onRole(salma.email, "seller");
    renderConnected(storeOf(salma), <Verified />);
    await settle();
    onRole(salma.email, "seller", true);
    await acceptSocket();
    await advance(200);
    await onServer(() => FakeSocket.latest.receive({ subscribed: { me: "e1-4" } }));
    await settle();
    expect(screen.getByText("verified")).toBeVisible();
  });

  it("refetches a single order that was fetched without a position", async () => {
    const order = aBooking();
    const setStatus = (status: "held" | "expired", version: number) =>
      on("get", `/booking/${order._id}`, { body: { ...order, status, version } });
    function Order() {
      return <p>{usePayableBooking(order._id).booking?.status}</p>;
    }
    setStatus("held", 1);
    renderConnected(storeOf(karim), <Order />);
    await settle();
    expect(screen.getByText("held")).toBeVisible();
    setStatus("expired", 2);
    await acceptSocket();
    await advance(200);
    await onServer(() => FakeSocket.latest.receive({ subscribed: { me: "e1-4" } }));
    await settle();
    expect(screen.getByText("expired")).toBeVisible();
  });

  it.each(["account.removed", "4403"])(
    "logs out with a message when the account is deleted (%s)",
    async (how) => {
      const { store } = await setUp();
      on("post", "/identity/sign-out", { status: 200 });
      await onServer(() => {
        if (how === "4403") FakeSocket.latest.closeByServer(4403);
        else FakeSocket.latest.receiveEvents(anEvent("me", "account.removed", { _id: "u1", version: 9 }));
      });
      await advance(250);
      expect(store.getState().session).toEqual({
        accessToken: null,
        endReason: "Your account has been removed.",
        deletionNotice: null,
      });
    },
  );

  it.each([
    ["password changed", "You were signed out because the password of your account was changed."],
    ["signed out on another device", "You were signed out from another device."],
  ])("logs out with a message when the session was ended elsewhere (%s)", async (reason, message) => {
    const { store } = await setUp();
    on("post", "/identity/sign-out", errorResponse(401, "Please log in first"));
    await onServer(() => FakeSocket.latest.closeByServer(4401, reason));
    await advance(250);
    expect(store.getState().session).toMatchObject({ accessToken: null, endReason: message });
    expect(callsTo("GET", "/jwt")).toHaveLength(0);
  });
});

it("a query that did not reach the server is repeated when the connection is live", async () => {
  onNetworkError("get", "/test/phones");
  renderConnected(storeOf(karim));
  await settle();
  expect(rowTexts()).toEqual([]);
  onRole(karim.email, "buyer");
  onList("/test/phones", TOPIC, [aProduct({ name: "Late" })]);
  await acceptSocket();
  await settle();
  expect(rowTexts()).toEqual(["Late available"]);
});

describe("the notice", () => {
  const banner = () => screen.getByRole("status", { name: "Live updates" });

  it("appears only for interruptions of two seconds or more", async () => {
    await setUp();
    expect(banner()).toBeEmptyDOMElement();
    await onServer(() => FakeSocket.latest.closeByServer());
    await advance(1500);
    expect(banner()).toBeEmptyDOMElement();
    await advance(1000);
    expect(banner()).toHaveTextContent("Reconnecting…");
    await advance(2000);
    await acceptSocket();
    expect(banner()).toHaveTextContent("Live updates are back");
    await advance(RECONNECTED_MS);
    expect(banner()).toBeEmptyDOMElement();
  });

  it("appears during a server restart only if it takes too long", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.999);
    await setUp();
    await onServer(() => FakeSocket.latest.closeByServer(1012));
    await advance(RESTART_JITTER_MS);
    expect(FakeSocket.all).toHaveLength(2);
    expect(banner()).toBeEmptyDOMElement();
    await advance(DELAY_MS);
    expect(banner()).toHaveTextContent("Reconnecting…");
  });

  it("says when the browser is offline", async () => {
    await setUp();
    const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await onServer(() => window.dispatchEvent(new Event("offline")));
    await advance(DELAY_MS);
    expect(banner()).toHaveTextContent("You are offline");
    onLine.mockReturnValue(true);
    await onServer(() => window.dispatchEvent(new Event("online")));
    await advance(0);
    expect(banner()).toHaveTextContent("Reconnecting…");
    await acceptSocket();
    expect(banner()).toHaveTextContent("Live updates are back");
    onLine.mockRestore();
  });

  it("says when live updates have stopped", async () => {
    await setUp();
    await onServer(() => FakeSocket.latest.closeByServer(1008));
    await advance(2500);
    expect(banner()).toHaveTextContent("Live updates have stopped. Reload the page");
  });
});

it("a request that does not reach the server replaces the connection, unless a frame has just arrived", async () => {
  await setUp();
  const first = FakeSocket.latest;
  await onServer(() => window.dispatchEvent(new Event(NETWORK_ERROR_EVENT)));
  await advance(10);
  expect(FakeSocket.latest).toBe(first);
  await advance(4000);
  await onServer(() => window.dispatchEvent(new Event(NETWORK_ERROR_EVENT)));
  await advance(10);
  expect(FakeSocket.latest).not.toBe(first);
});

describe("a thousand events a second", () => {
  let gridRenders = 0;
  let cardRenders = 0;

  const Card = memo(function Card({ id }: { id: string }) {
    cardRenders += 1;
    return <li>{useListEntity(testPhones, ALL, id)?.resalePrice}</li>;
  });

  function Grid() {
    gridRenders += 1;
    const { ids } = useListIds(testPhones, ALL);
    const card = useCallback((id: string) => <Card key={id} id={id} />, []);
    return <ul>{ids?.map(card)}</ul>;
  }

  it("render each changed card four times, and the grid not at all", async () => {
    onRole(karim.email, "buyer");
    const phones = onList(
      "/test/phones",
      TOPIC,
      Array.from({ length: 50 }, () => aProduct()),
    );
    renderConnected(storeOf(karim), <Grid />);
    await acceptSocket();
    await settle();
    expect(rowTexts()).toHaveLength(50);
    await advance(200);
    await onServer(() => FakeSocket.latest.receive({ subscribed: { me: "e1-0", [TOPIC]: "e1-1" } }));
    await settle();
    gridRenders = cardRenders = 0;
    for (let i = 0; i < 1000; i++) {
      const phone = phones[i % 10]!;
      const change = { ...phone, version: 2 + i, resalePrice: 1000 + i };
      FakeSocket.latest.receiveEvents(anEvent(TOPIC, "product.changed", change));
      if (i % 10 === 9) await advance(10);
    }
    await advance(250);
    expect(gridRenders).toBe(0);
    expect(cardRenders).toBeLessThanOrEqual(50);
    expect(cardRenders).toBeGreaterThanOrEqual(10);
    expect(rowTexts()).toContain("1999");
  });
});
