import { act, render, waitFor } from "@testing-library/react";
import { Provider } from "react-redux";
import { afterEach, expect, test, vi } from "vitest";
import { TOKEN_KEY } from "@/api/session";
import { aToken, onSession } from "@/testing/app";
import { karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onNetworkError, startServer } from "@/testing/server";
import { storeOf } from "@/testing/serverScreen";
import { SessionManager } from "./SessionManager";
import { renewToken } from "./session";
import { RENEW_BEFORE_MS, renewIn } from "./token";

startServer();
afterEach(() => vi.useRealTimers());

function keep() {
  const store = storeOf(null);
  render(
    <Provider store={store}>
      <SessionManager />
    </Provider>,
  );
  const phase = (wanted: string) => waitFor(() => expect(store.getState().auth.phase).toBe(wanted));
  return { store, phase };
}

/** Only the clock and its timers are false: the network of the tests needs the rest. */
const falseClock = () =>
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], shouldAdvanceTime: true });

test("a token is renewed ten minutes before its end", () => {
  const now = Date.now();
  expect(renewIn(aToken(3600), now)).toBeGreaterThan(49 * 60_000);
  expect(renewIn(aToken(3600), now)).toBeLessThanOrEqual(3_600_000 - RENEW_BEFORE_MS);
  expect(renewIn(aToken(60), now)).toBe(0);
  expect(renewIn("no token of ours", now)).toBeNull();
});

test("the stored token of the signed-in user is used again, without a new one", async () => {
  onSession(karim);
  localStorage.setItem(TOKEN_KEY, aToken());
  const { store, phase } = keep();
  await phase("in");
  expect(store.getState().auth.user).toEqual(karim);
  expect(callsTo("GET", "/jwt")).toHaveLength(0);
});

test("a token that expired while the page was closed is never sent: it would end a valid session", async () => {
  onSession(karim);
  localStorage.setItem(TOKEN_KEY, aToken(-10));
  const { phase } = keep();
  await phase("in");
  expect(callsTo("GET", "/identity/me")[0]?.authorization).toBeNull();
  expect(callsTo("GET", "/jwt")).toHaveLength(1);
});

test("a visitor's page asks nobody who is signed in, until another tab signs in", async () => {
  document.head.insertAdjacentHTML("beforeend", '<meta name="session" content="none" />');
  onSession(karim);
  const { phase } = keep();
  await phase("out");
  expect(callsTo("GET", "/identity/me")).toHaveLength(0);
  act(() => {
    window.dispatchEvent(new StorageEvent("storage", { key: TOKEN_KEY, newValue: aToken() }));
  });
  await phase("in");
  expect(callsTo("GET", "/identity/me")).toHaveLength(1);
});

test("after fifty minutes there is a new token, and the session went on meanwhile", async () => {
  falseClock();
  onSession(karim);
  const { store, phase } = keep();
  await phase("in");
  const first = store.getState().session.accessToken;
  on("get", "/jwt", () => ({ body: { accessToken: aToken(3600, "second") } }));
  await act(() => vi.advanceTimersByTimeAsync(51 * 60_000));
  await waitFor(() => expect(store.getState().session.accessToken).toMatch(/^second/));
  expect(first).not.toMatch(/^second/);
  expect(localStorage.getItem(TOKEN_KEY)).toMatch(/^second/);
});

test("two who ask for a renewal at once share one", async () => {
  onSession(karim);
  const { store, phase } = keep();
  await phase("in");
  const asked = callsTo("GET", "/jwt").length;
  await act(() => Promise.all([store.dispatch(renewToken()), store.dispatch(renewToken())]));
  expect(callsTo("GET", "/jwt")).toHaveLength(asked + 1);
  await act(() => store.dispatch(renewToken()));
  expect(callsTo("GET", "/jwt")).toHaveLength(asked + 2);
});

test("a renewal that fails is tried again, and nobody is logged out for it", async () => {
  falseClock();
  onSession(karim);
  const { store, phase } = keep();
  await phase("in");
  onNetworkError("get", "/jwt");
  await act(() => vi.advanceTimersByTimeAsync(50 * 60_000 + 1000));
  expect(store.getState().auth.phase).toBe("in");
  on("get", "/jwt", () => ({ body: { accessToken: aToken(3600, "later") } }));
  await act(() => vi.advanceTimersByTimeAsync(31_000));
  await waitFor(() => expect(store.getState().session.accessToken).toMatch(/^later/));
});

test("a renewal that is refused ends the session with a word", async () => {
  falseClock();
  onSession(karim);
  const { store, phase } = keep();
  await phase("in");
  on("get", "/jwt", errorResponse(401, "Not signed in"));
  await act(() => vi.advanceTimersByTimeAsync(51 * 60_000));
  await phase("out");
  expect(store.getState().session.endReason).toMatch(/session has ended/);
});

test("while the server is away at the start it is asked again, and nobody counts as signed out", async () => {
  falseClock();
  onNetworkError("get", "/identity/me");
  const { phase } = keep();
  await phase("failed");
  onSession(karim);
  await act(() => vi.advanceTimersByTimeAsync(5100));
  await phase("in");
});

test("signing out in another tab signs out here, without ending what that tab does next", async () => {
  onSession(karim);
  const { store, phase } = keep();
  await phase("in");
  act(() => {
    window.dispatchEvent(new StorageEvent("storage", { key: TOKEN_KEY, newValue: null }));
  });
  await phase("out");
  expect(store.getState().session.accessToken).toBeNull();
  expect(callsTo("POST", "/identity/sign-out")).toHaveLength(0);
});

test("signing in in another tab signs in here", async () => {
  onSession(null);
  const { store, phase } = keep();
  await phase("out");
  onSession(karim);
  const token = aToken(3600, "other");
  act(() => {
    window.dispatchEvent(new StorageEvent("storage", { key: TOKEN_KEY, newValue: token }));
  });
  await phase("in");
  expect(store.getState().session.accessToken).toBe(token);
});
