import { act, render, waitFor } from "@testing-library/react";
import { Provider } from "react-redux";
import { expect, test, vi } from "vitest";
import { loggedOut, TOKEN_KEY } from "@/api/sessionSlice";
import { aToken, onSession } from "@/testing/app";
import { karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onNetworkError, startServer } from "@/testing/server";
import { storeOf } from "@/testing/serverScreen";
import { authActions } from "./authSlice";
import { SessionManager } from "./SessionManager";
import { checkSession, renewToken } from "./sessionThunks";
import { RENEW_BEFORE_MS, renewIn } from "./tokenRenewal";

startServer();

function renderSessionManager() {
  const store = storeOf(null);
  render(
    <Provider store={store}>
      <SessionManager />
    </Provider>,
  );
  const waitForPhase = (phase: string) => waitFor(() => expect(store.getState().auth.phase).toBe(phase));
  return { store, waitForPhase };
}

/** Tells this tab that another tab has stored a token, or removed it (null). */
const receiveStorageEvent = (newValue: string | null) =>
  act(() => void window.dispatchEvent(new StorageEvent("storage", { key: TOKEN_KEY, newValue })));

/** Fakes only these timers and the date, because the fake server needs the others. */
const fakeClock = () =>
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], shouldAdvanceTime: true });

test("a token is renewed ten minutes before it expires", () => {
  const now = Date.now();
  expect(renewIn(aToken(3600), now)).toBeGreaterThan(49 * 60_000);
  expect(renewIn(aToken(3600), now)).toBeLessThanOrEqual(3_600_000 - RENEW_BEFORE_MS);
  expect(renewIn(aToken(60), now)).toBe(0);
  expect(renewIn("not a token", now)).toBeNull();
});

test("the stored token of the signed-in user is used, and no new one is requested", async () => {
  onSession(karim);
  localStorage.setItem(TOKEN_KEY, aToken());
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  expect(store.getState().auth.user).toEqual(karim);
  expect(callsTo("GET", "/jwt")).toHaveLength(0);
});

test("a token that expired while the page was closed is never sent", async () => {
  onSession(karim);
  localStorage.setItem(TOKEN_KEY, aToken(-10));
  const { waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  expect(callsTo("GET", "/identity/me")[0]?.authorization).toBeNull();
  expect(callsTo("GET", "/jwt")).toHaveLength(1);
});

test("a visitor's page does not request the session until another tab signs in", async () => {
  document.head.insertAdjacentHTML("beforeend", '<meta name="session" content="none" />');
  onSession(karim);
  const { waitForPhase } = renderSessionManager();
  await waitForPhase("out");
  expect(callsTo("GET", "/identity/me")).toHaveLength(0);
  receiveStorageEvent(aToken());
  await waitForPhase("in");
  expect(callsTo("GET", "/identity/me")).toHaveLength(1);
});

test("a visitor's page keeps the session that another tab has started since the page was requested", async () => {
  document.head.insertAdjacentHTML("beforeend", '<meta name="session" content="none" />');
  onSession(karim);
  const token = aToken(3600, "other");
  localStorage.setItem(TOKEN_KEY, token);
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  expect(store.getState().session.accessToken).toBe(token);
  expect(localStorage.getItem(TOKEN_KEY)).toBe(token);
});

test("the token is renewed after fifty minutes", async () => {
  fakeClock();
  onSession(karim);
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  const first = store.getState().session.accessToken;
  on("get", "/jwt", () => ({ body: { accessToken: aToken(3600, "second") } }));
  await act(() => vi.advanceTimersByTimeAsync(51 * 60_000));
  await waitFor(() => expect(store.getState().session.accessToken).toMatch(/^second/));
  expect(first).not.toMatch(/^second/);
  expect(localStorage.getItem(TOKEN_KEY)).toMatch(/^second/);
});

test("simultaneous renewals share one request", async () => {
  onSession(karim);
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  const before = callsTo("GET", "/jwt").length;
  await act(() => Promise.all([store.dispatch(renewToken()), store.dispatch(renewToken())]));
  expect(callsTo("GET", "/jwt")).toHaveLength(before + 1);
  await act(() => store.dispatch(renewToken()));
  expect(callsTo("GET", "/jwt")).toHaveLength(before + 2);
});

test("a renewal that fails is repeated, and the user stays signed in", async () => {
  fakeClock();
  onSession(karim);
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  onNetworkError("get", "/jwt");
  await act(() => vi.advanceTimersByTimeAsync(50 * 60_000 + 1000));
  expect(store.getState().auth.phase).toBe("in");
  on("get", "/jwt", () => ({ body: { accessToken: aToken(3600, "later") } }));
  await act(() => vi.advanceTimersByTimeAsync(31_000));
  await waitFor(() => expect(store.getState().session.accessToken).toMatch(/^later/));
});

test("a renewal that is refused ends the session with a message", async () => {
  fakeClock();
  onSession(karim);
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  on("get", "/jwt", errorResponse(401, "Not signed in"));
  await act(() => vi.advanceTimersByTimeAsync(51 * 60_000));
  await waitForPhase("out");
  expect(store.getState().session.endReason).toMatch(/session has ended/);
});

/** Responds to the first request with 401, as to the cookie of an ended session, and to the others with this body. */
function refuseOnce(path: string, body: object) {
  let requests = 0;
  on("get", path, () => {
    requests += 1;
    return requests === 1 ? errorResponse(401, "Not signed in") : { body: { ...body } };
  });
}

const cookieRequests = [
  { name: "renewal of the token", thunk: renewToken, path: "/jwt", body: { accessToken: aToken() } },
  { name: "check of the session", thunk: checkSession, path: "/identity/me", body: karim },
];

test.each(cookieRequests)(
  "a $name that is refused once, during a sign-in in another tab, does not end the session",
  async ({ thunk, path, body }) => {
    onSession(karim);
    const { store, waitForPhase } = renderSessionManager();
    await waitForPhase("in");
    const before = callsTo("GET", path).length;
    refuseOnce(path, body);
    await act(() => store.dispatch(thunk()));
    expect(callsTo("GET", path)).toHaveLength(before + 2);
    expect(store.getState().auth.phase).toBe("in");
  },
);

test.each(cookieRequests)(
  "a $name that is refused sends no sign-out: the cookie may be of a new session",
  async ({ thunk, path }) => {
    onSession(karim);
    const { store, waitForPhase } = renderSessionManager();
    await waitForPhase("in");
    on("get", path, errorResponse(401, "Not signed in"));
    await act(() => store.dispatch(thunk()));
    expect(store.getState().auth).toMatchObject({ phase: "out", signedOutByUser: false });
    expect(store.getState().session.accessToken).toBeNull();
    expect(store.getState().session.endReason).toMatch(/session has ended/);
    expect(callsTo("POST", "/identity/sign-out")).toHaveLength(0);
  },
);

test("the session request is repeated while the server is unreachable, and the user is not signed out", async () => {
  fakeClock();
  onNetworkError("get", "/identity/me");
  const { waitForPhase } = renderSessionManager();
  await waitForPhase("failed");
  onSession(karim);
  await act(() => vi.advanceTimersByTimeAsync(5100));
  await waitForPhase("in");
});

test("a sign-out in another tab signs this tab out, without a request", async () => {
  onSession(karim);
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  receiveStorageEvent(null);
  await waitForPhase("out");
  expect(store.getState().session.accessToken).toBeNull();
  expect(callsTo("POST", "/identity/sign-out")).toHaveLength(0);
});

test("a sign-in in another tab signs this tab in", async () => {
  onSession(null);
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("out");
  onSession(karim);
  const token = aToken(3600, "other");
  receiveStorageEvent(token);
  await waitForPhase("in");
  expect(store.getState().session.accessToken).toBe(token);
});

test("a tab that learns late of a sign-out and a new sign-in keeps the new session", async () => {
  onSession(karim);
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  const token = aToken(3600, "new");
  localStorage.setItem(TOKEN_KEY, token);
  receiveStorageEvent(null);
  await waitForPhase("out");
  expect(localStorage.getItem(TOKEN_KEY)).toBe(token);
  receiveStorageEvent(token);
  await waitForPhase("in");
  expect(store.getState().session.accessToken).toBe(token);
  expect(localStorage.getItem(TOKEN_KEY)).toBe(token);
});

test("a tab that learns late of two renewals does not store the older token", async () => {
  onSession(karim);
  const { waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  const newest = aToken(3600, "newest");
  localStorage.setItem(TOKEN_KEY, newest);
  receiveStorageEvent(aToken(3600, "older"));
  expect(localStorage.getItem(TOKEN_KEY)).toBe(newest);
});

test("a refused old token does not end the session that another tab has started", async () => {
  onSession(karim);
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  const token = aToken(3600, "new");
  localStorage.setItem(TOKEN_KEY, token);
  act(() => void store.dispatch(loggedOut("Your session has ended.")));
  expect(store.getState().session.accessToken).toBeNull();
  expect(callsTo("POST", "/identity/sign-out")).toHaveLength(0);
  expect(localStorage.getItem(TOKEN_KEY)).toBe(token);
});

/** The email addresses of the requests for a token. */
const tokenEmails = () =>
  callsTo("GET", "/jwt").map(({ url }) => new URLSearchParams(url.split("?")[1]).get("email"));

test("a renewal that is repeated asks for the present address", async () => {
  onSession(karim);
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  refuseOnce("/jwt", { accessToken: aToken() });
  const changed = { ...karim, email: "karim.new@phones.example" };
  await act(async () => {
    const renewal = store.dispatch(renewToken());
    await vi.waitFor(() => expect(tokenEmails()).toHaveLength(2));
    store.dispatch(authActions.userLoaded(changed));
    await renewal;
  });
  expect(tokenEmails().at(-1)).toBe(changed.email);
  expect(store.getState().auth).toMatchObject({ phase: "in", user: changed });
});

test("a renewal for an address that another tab has changed loads the user again", async () => {
  onSession(karim);
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  const changed = { ...karim, email: "karim.new@phones.example" };
  on("get", "/identity/me", { body: changed });
  on("get", "/jwt", () =>
    tokenEmails().at(-1) === changed.email
      ? { body: { accessToken: aToken() } }
      : errorResponse(403, "You can only get a token for yourself"),
  );
  await act(() => store.dispatch(renewToken()));
  expect(store.getState().auth).toMatchObject({ phase: "in", user: changed });
});
