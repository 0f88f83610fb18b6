import { act, render, screen } from "@testing-library/react";
import { Provider } from "react-redux";
import { afterEach, beforeAll, beforeEach, vi } from "vitest";
import { api } from "@/api/api";
import { liveList, type PageArg } from "@/api/liveList";
import type { Product } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import { LiveProvider } from "@/app/live";
import { ConnectionBanner } from "@/app/live/ConnectionBanner";
import type { AppStore } from "@/app/store";
import { AnnouncerProvider, ToastProvider } from "@/ui";
import { karim } from "./factories";
import { nextTurn } from "./nextTurn";
import { onList, onRole, startServer } from "./server";
import { storeOf } from "./serverScreen";
import { FakeSocket, fakeSockets } from "./socket";

/** The topic of the list of phones. */
export const TOPIC = "brand:019a00000000a00000000001";

const testApi = api.injectEndpoints({
  endpoints: (build) => ({
    testPhones: build.query(liveList<Product, PageArg>("brandProducts", () => "/test/phones")),
  }),
});
export const { testPhones } = testApi.endpoints;
/** The argument of the query. */
export const ALL = {};

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

/** Renders the content with a live connection. */
export function renderConnected(store: AppStore, content = <Phones />) {
  return render(
    <Provider store={store}>
      <ToastProvider>
        <AnnouncerProvider>
          <LiveProvider>
            {content}
            <ConnectionBanner />
          </LiveProvider>
        </AnnouncerProvider>
      </ToastProvider>
    </Provider>,
  );
}

/** Advances the clock, milliseconds. */
export const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** Runs an action of the fake server. */
export const onServer = (action: () => void) => act(async () => action());

/** Waits for pending responses: the fake server uses real turns of the event loop, not the fake clock. */
export async function waitForResponses() {
  for (let i = 0; i < 20; i++) await act(nextTurn);
  // The store notifies its subscribers in the next animation frame.
  await advance(20);
}

/** The server accepts the new socket. */
export async function acceptSocket() {
  await advance(0);
  await onServer(() => FakeSocket.latest.accept());
}

/** Waits until the client opens a socket: the delay is random, and a token may be renewed first. */
export async function waitForSocket() {
  for (let s = 0; s < 60 && FakeSocket.latest.readyState !== FakeSocket.CONNECTING; s++) {
    await advance(1000);
    await waitForResponses();
  }
}

/** Starts the fake server, the fake sockets and the fake clock for a test file. */
export function startLive(): void {
  startServer();
  beforeAll(() => import("@/app/live/LiveConnection"));
  beforeEach(() => {
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
    fakeSockets();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** A live connection with a list of phones on the screen, whose topic is confirmed. */
export async function setUp(...phones: Product[]) {
  onRole(karim.email, "buyer");
  const items = onList("/test/phones", TOPIC, phones);
  const store = storeOf(karim);
  const view = renderConnected(store);
  await acceptSocket();
  await waitForResponses();
  await advance(200);
  await onServer(() => FakeSocket.latest.receive({ subscribed: { me: "e1-0", [TOPIC]: "e1-1" } }));
  return { store, items, view };
}

/** The texts of the rows on the screen. */
export const rowTexts = () => screen.queryAllByRole("listitem").map(({ textContent }) => textContent);
