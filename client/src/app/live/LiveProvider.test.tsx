import { act, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { NETWORK_ERROR_EVENT } from "@/api/baseQuery";
import { sessionEnded, tokenReceived } from "@/api/sessionSlice";
import { anEvent, aProduct, aWait, karim } from "@/testing/factories";
import {
  ALL,
  acceptSocket,
  advance,
  onServer,
  renderConnected,
  rowTexts,
  setUp,
  startLive,
  TOPIC,
  testPhones,
  waitForResponses,
  waitForSocket,
} from "@/testing/liveScreen";
import { callsTo, errorResponse, on, onList, onNetworkError, onRole } from "@/testing/server";
import { storeOf } from "@/testing/serverScreen";
import { FakeSocket } from "@/testing/socket";

startLive();

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

  it("does not announce an event that the list already contains", async () => {
    const phone = aProduct({ name: "iPhone 6", version: 3 });
    await setUp(phone);
    const booked = { ...phone, booked: true };
    const replayed = anEvent(TOPIC, "product.booked", { ...booked, version: 2 });
    await onServer(() => FakeSocket.latest.receiveEvents(replayed));
    await advance(1250);
    expect(screen.getByRole("log")).toHaveTextContent(/^$/);
    const later = anEvent(TOPIC, "product.booked", { ...booked, version: 4 });
    await onServer(() => FakeSocket.latest.receiveEvents(replayed, later));
    await advance(1250);
    expect(screen.getByRole("log")).toHaveTextContent("iPhone 6 was just booked");
  });

  it("does not announce an event without a list again when it is replayed", async () => {
    await setUp();
    const place = anEvent("me", "waitlist.changed", aWait({ productName: "Nexus 5", position: 2 }));
    await onServer(() => FakeSocket.latest.receiveEvents(place));
    await advance(1250);
    const announced = screen.getByText("You are 2nd in line for Nexus 5");
    await onServer(() => FakeSocket.latest.receiveEvents(place));
    await advance(1250);
    expect(announced, "a new announcement is a new element").toBeInTheDocument();
  });

  it("resumes after a gap, and the list is up to date without a request", async () => {
    const phone = aProduct({ name: "iPhone 6" });
    await setUp(phone);
    onNetworkError("get", "/jwt");
    onNetworkError("get", "/identity/me");
    for (let i = 0; i < 5; i++) {
      await onServer(() => FakeSocket.latest.closeByServer());
      await advance(20_000);
      await waitForResponses();
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
    await waitForResponses();
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
    await waitForResponses();
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
    await act(async () => void store.dispatch(sessionEnded({ by: "person" })));
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

it("a list with further pages is refetched once for many removals on these pages, and its total is right", async () => {
  const phones = Array.from({ length: 104 }, () => aProduct());
  const { store, items } = await setUp(...phones);
  const total = () => testPhones.select(ALL)(store.getState()).data?.total;
  expect(total()).toBe(104);
  for (const { _id } of items.splice(0, 3)) {
    const removal = anEvent(TOPIC, "product.removed", { _id, version: 2 });
    await onServer(() => FakeSocket.latest.receiveEvents(removal));
    await advance(1000);
  }
  expect(callsTo("GET", "/test/phones")).toHaveLength(1);
  await advance(10_000);
  await waitForResponses();
  expect(total()).toBe(101);
  await advance(60_000);
  expect(callsTo("GET", "/test/phones")).toHaveLength(2);
});

it("the refetch of a list because of its total is repeated if it fails", async () => {
  const { store, items } = await setUp(...Array.from({ length: 102 }, () => aProduct()));
  const [gone] = items.splice(0, 1);
  on("get", "/test/phones", errorResponse(500, "Please try again"));
  const removal = anEvent(TOPIC, "product.removed", { _id: gone?._id ?? "", version: 2 });
  await onServer(() => FakeSocket.latest.receiveEvents(removal));
  await advance(10_250);
  await waitForResponses();
  onList("/test/phones", TOPIC, items);
  for (let refetches = 0; refetches < 2; refetches++) {
    await advance(10_000);
    await waitForResponses();
  }
  expect(testPhones.select(ALL)(store.getState()).data?.total).toBe(101);
});

it("a query that did not reach the server is repeated when the connection is live", async () => {
  onNetworkError("get", "/test/phones");
  renderConnected(storeOf(karim));
  await waitForResponses();
  expect(rowTexts()).toEqual([]);
  onRole(karim.email, "buyer");
  onList("/test/phones", TOPIC, [aProduct({ name: "Late" })]);
  await acceptSocket();
  await waitForResponses();
  expect(rowTexts()).toEqual(["Late available"]);
});

it("a request that does not reach the server replaces a connection that does not answer, unless a frame has just arrived", async () => {
  await setUp();
  const first = FakeSocket.latest;
  await onServer(() => window.dispatchEvent(new Event(NETWORK_ERROR_EVENT)));
  await advance(10);
  expect(FakeSocket.latest).toBe(first);
  await advance(4000);
  await onServer(() => window.dispatchEvent(new Event(NETWORK_ERROR_EVENT)));
  await advance(3010);
  expect(FakeSocket.latest).not.toBe(first);
});
