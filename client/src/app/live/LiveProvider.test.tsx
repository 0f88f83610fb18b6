import { act, render, screen } from "@testing-library/react";
import { memo, useCallback } from "react";
import { Provider } from "react-redux";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "@/api/api";
import { UNREACHED } from "@/api/baseQuery";
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
import { on, onList, onRole, startServer, unreachable } from "@/testing/server";
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

/** A screen with a list: each phone a row. */
function Phones() {
  const { list } = useList(testPhones, ALL);
  return (
    <ul>
      {rowsOf(list).map(({ _id, name, booked }) => (
        <li key={_id}>
          {name} {booked ? "Booked" : "free"}
        </li>
      ))}
    </ul>
  );
}

function show(store: AppStore, screenOf = <Phones />) {
  return render(
    <Provider store={store}>
      <AnnouncerProvider>
        <LiveProvider>
          {screenOf}
          <ConnectionBanner />
        </LiveProvider>
      </AnnouncerProvider>
    </Provider>,
  );
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const serverSays = (what: () => void) => act(async () => what());

/** The event loop's own, taken before the clock is faked. */
const nextTurn = globalThis.setTimeout;

/** Lets what is under way arrive: the network of the tests runs on turns of the event loop, not on the fake clock. */
async function settle() {
  for (let i = 0; i < 20; i++) await act(() => new Promise<void>((done) => void nextTurn(done)));
  // The store tells its readers of an answer with the next frame.
  await pass(20);
}

/** The server accepts the socket that the client has just asked for. */
async function greet() {
  await pass(0);
  await serverSays(() => FakeSocket.now.greet());
}

/** Until the client asks for a socket: chance says how long it waits, and whether it asks for a token before. */
async function untilAsked() {
  for (let s = 0; s < 60 && FakeSocket.now.readyState !== FakeSocket.CONNECTING; s++) {
    await pass(1000);
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

/** A greeted connection with the phones' list on the screen and its topic in force. */
async function live(...phones: Product[]) {
  onRole(karim.email, "buyer");
  const items = onList("/test/phones", TOPIC, phones);
  const store = storeOf(karim);
  const view = show(store);
  await greet();
  await settle();
  await pass(200);
  await serverSays(() => FakeSocket.now.say({ subscribed: { me: "e1-0", [TOPIC]: "e1-1" } }));
  return { store, items, view };
}

const lines = () => screen.queryAllByRole("listitem").map(({ textContent }) => textContent);

describe("the live connection", () => {
  it("is one socket at the own origin, with the token as a subprotocol and not in the address", async () => {
    await live();
    expect(FakeSocket.all).toHaveLength(1);
    expect(FakeSocket.now.url).toBe("ws://localhost:8080/live");
    expect(FakeSocket.now.protocols).toEqual(["secondring.v1", "bearer.test-token"]);
  });

  it("subscribes to a list's topic from the position of its response", async () => {
    await live(aProduct());
    expect(FakeSocket.now.subscribed).toContainEqual({ [TOPIC]: "e1-1" });
  });

  it("changes a phone to Booked within 250 ms, and announces it", async () => {
    const phone = aProduct({ name: "iPhone 6" });
    await live(phone);
    expect(lines()).toEqual(["iPhone 6 free"]);
    const booked = { ...phone, version: 2, booked: true };
    await serverSays(() => FakeSocket.now.tell(anEvent(TOPIC, "product.booked", booked)));
    await pass(250);
    expect(lines()).toEqual(["iPhone 6 Booked"]);
    await pass(1000);
    expect(screen.getByRole("log")).toHaveTextContent("iPhone 6 was just booked");
  });

  it("announces the number of changes when there are several", async () => {
    const phones = [aProduct(), aProduct(), aProduct()];
    await live(...phones);
    const events = phones.map((phone) => anEvent(TOPIC, "product.booked", { ...phone, version: 2 }));
    await serverSays(() => FakeSocket.now.tell(...events));
    await pass(1250);
    expect(screen.getByRole("log")).toHaveTextContent("3 phones changed");
  });

  it("resumes after a gap and is up to date without a reload", async () => {
    const phone = aProduct({ name: "iPhone 6" });
    await live(phone);
    unreachable("get", "/jwt");
    unreachable("get", "/identity/me");
    for (let i = 0; i < 5; i++) {
      await serverSays(() => FakeSocket.now.drop());
      await pass(20_000);
      await settle();
    }
    await serverSays(() => window.dispatchEvent(new Event("online")));
    await untilAsked();
    await greet();
    expect(FakeSocket.now.subscribed).toContainEqual({ me: "e1-0", [TOPIC]: "e1-1" });
    await serverSays(() => FakeSocket.now.say({ subscribed: { me: "e1-0", [TOPIC]: "e1-9" } }));
    const booked = { ...phone, version: 2, booked: true };
    await serverSays(() => FakeSocket.now.tell(anEvent(TOPIC, "product.booked", booked)));
    await pass(250);
    expect(lines()).toEqual(["iPhone 6 Booked"]);
  });

  it("refetches the list when the history does not go back far enough", async () => {
    const phone = aProduct({ name: "iPhone 6" });
    const { items } = await live(phone);
    items[0] = { ...phone, version: 5, booked: true };
    items.push(aProduct({ name: "Nexus 5" }));
    await serverSays(() => FakeSocket.now.say({ resync: [TOPIC] }));
    await settle();
    expect(lines()).toEqual(["Nexus 5 free", "iPhone 6 Booked"]);
  });

  it("does not let a fetched list undo a later event", async () => {
    const phone = aProduct({ name: "iPhone 6" });
    await live(phone);
    const booked = { ...phone, version: 2, booked: true };
    await serverSays(() => FakeSocket.now.tell(anEvent(TOPIC, "product.booked", booked)));
    await pass(250);
    // The server's answer is still of version 1: it was built before.
    await serverSays(() => FakeSocket.now.say({ resync: [TOPIC] }));
    await settle();
    expect(lines()).toEqual(["iPhone 6 Booked"]);
  });

  it("sends a renewed token on the same socket", async () => {
    const { store } = await live();
    await act(async () => void store.dispatch(tokenReceived("renewed")));
    expect(FakeSocket.all).toHaveLength(1);
    expect(FakeSocket.now.sent.at(-1)).toEqual({ token: "renewed" });
  });

  it("reconnects as a visitor after signing out", async () => {
    const { store } = await live();
    on("post", "/identity/sign-out", { status: 200 });
    await act(async () => void store.dispatch(loggedOut()));
    await pass(10);
    expect(FakeSocket.now.protocols).toEqual(["secondring.v1"]);
  });

  it("closes with the page", async () => {
    const { view } = await live();
    view.unmount();
    expect(FakeSocket.now.readyState).toBe(FakeSocket.CLOSED);
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
    show(storeOf(salma), <Verified />);
    await settle();
    expect(screen.getByText("not verified")).toBeVisible();
    await greet();
    await pass(200);
    await serverSays(() => FakeSocket.now.say({ subscribed: { me: "e1-0" } }));
    await settle();
    const user = { _id: "u1", version: 2, email: salma.email, status: "verified" };
    await serverSays(() => FakeSocket.now.tell(anEvent("me", "seller.verified", user)));
    await pass(300);
    expect(screen.getByText("verified")).toBeVisible();
    const renamed = { ...user, version: 3, status: undefined };
    await serverSays(() => FakeSocket.now.tell(anEvent("me", "seller.verified", renamed)));
    await pass(300);
    expect(screen.getByText("not verified")).toBeVisible();
  });

  it("refetches the flag once it is in force: the flag may have changed before", async () => {
    onRole(salma.email, "seller");
    show(storeOf(salma), <Verified />);
    await settle();
    onRole(salma.email, "seller", true);
    await greet();
    await pass(200);
    await serverSays(() => FakeSocket.now.say({ subscribed: { me: "e1-4" } }));
    await settle();
    expect(screen.getByText("verified")).toBeVisible();
  });

  it("refetches a single order that was fetched without a position", async () => {
    const order = aBooking();
    const answer = (status: "held" | "expired", version: number) =>
      on("get", `/booking/${order._id}`, { body: { ...order, status, version } });
    function Order() {
      return <p>{usePayableBooking(order._id).booking?.status}</p>;
    }
    answer("held", 1);
    show(storeOf(karim), <Order />);
    await settle();
    expect(screen.getByText("held")).toBeVisible();
    answer("expired", 2);
    await greet();
    await pass(200);
    await serverSays(() => FakeSocket.now.say({ subscribed: { me: "e1-4" } }));
    await settle();
    expect(screen.getByText("expired")).toBeVisible();
  });

  it.each(["account.removed", "4403"])(
    "logs out with a message when the account was removed (%s)",
    async (how) => {
      const { store } = await live();
      on("post", "/identity/sign-out", { status: 200 });
      await serverSays(() => {
        if (how === "4403") FakeSocket.now.drop(4403);
        else FakeSocket.now.tell(anEvent("me", "account.removed", { _id: "u1", version: 9 }));
      });
      await pass(250);
      expect(store.getState().session).toEqual({
        accessToken: null,
        farewell: "Your account has been removed.",
        leaving: null,
      });
    },
  );
});

it("a query that did not reach the server is repeated once the server can be reached", async () => {
  unreachable("get", "/test/phones");
  show(storeOf(karim));
  await settle();
  expect(lines()).toEqual([]);
  onRole(karim.email, "buyer");
  onList("/test/phones", TOPIC, [aProduct({ name: "Late" })]);
  await greet();
  await settle();
  expect(lines()).toEqual(["Late free"]);
});

describe("the notice", () => {
  const sign = () => screen.getByRole("status", { name: "Live updates" });

  it("does not appear while live or for short gaps, and appears for longer ones", async () => {
    await live();
    expect(sign()).toBeEmptyDOMElement();
    await serverSays(() => FakeSocket.now.drop());
    await pass(1500);
    expect(sign()).toBeEmptyDOMElement();
    await pass(1000);
    expect(sign()).toHaveTextContent("Reconnecting…");
    await pass(2000);
    await greet();
    expect(sign()).toHaveTextContent("Live updates are back");
    await pass(RECONNECTED_MS);
    expect(sign()).toBeEmptyDOMElement();
  });

  it("does not appear during an announced restart, and appears if that takes too long", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.999);
    await live();
    await serverSays(() => FakeSocket.now.drop(1012));
    await pass(RESTART_JITTER_MS);
    expect(FakeSocket.all).toHaveLength(2);
    expect(sign()).toBeEmptyDOMElement();
    await pass(DELAY_MS);
    expect(sign()).toHaveTextContent("Reconnecting…");
  });

  it("says when the browser is offline", async () => {
    await live();
    const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await serverSays(() => window.dispatchEvent(new Event("offline")));
    await pass(DELAY_MS);
    expect(sign()).toHaveTextContent("You are offline");
    onLine.mockReturnValue(true);
    await serverSays(() => window.dispatchEvent(new Event("online")));
    await pass(0);
    expect(sign()).toHaveTextContent("Reconnecting…");
    await greet();
    expect(sign()).toHaveTextContent("Live updates are back");
    onLine.mockRestore();
  });

  it("a call that does not reach the server replaces the connection, unless a frame came just now", async () => {
    await live();
    const first = FakeSocket.now;
    await serverSays(() => window.dispatchEvent(new Event(UNREACHED)));
    await pass(10);
    expect(FakeSocket.now).toBe(first);
    await pass(4000);
    await serverSays(() => window.dispatchEvent(new Event(UNREACHED)));
    await pass(10);
    expect(FakeSocket.now).not.toBe(first);
  });

  it("says when live updates have stopped", async () => {
    await live();
    await serverSays(() => FakeSocket.now.drop(1008));
    await pass(2500);
    expect(sign()).toHaveTextContent("Live updates have stopped. Reload the page");
  });
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

  it("render each changed card four times, and the grid never", async () => {
    onRole(karim.email, "buyer");
    const phones = onList(
      "/test/phones",
      TOPIC,
      Array.from({ length: 50 }, () => aProduct()),
    );
    show(storeOf(karim), <Grid />);
    await greet();
    await settle();
    expect(lines()).toHaveLength(50);
    await pass(200);
    await serverSays(() => FakeSocket.now.say({ subscribed: { me: "e1-0", [TOPIC]: "e1-1" } }));
    await settle();
    gridRenders = cardRenders = 0;
    for (let i = 0; i < 1000; i++) {
      const phone = phones[i % 10]!;
      const change = { ...phone, version: 2 + i, resalePrice: 1000 + i };
      FakeSocket.now.tell(anEvent(TOPIC, "product.changed", change));
      if (i % 10 === 9) await pass(10);
    }
    await pass(250);
    expect(gridRenders).toBe(0);
    expect(cardRenders).toBeLessThanOrEqual(50);
    expect(cardRenders).toBeGreaterThanOrEqual(10);
    expect(lines()).toContain("1999");
  });
});
