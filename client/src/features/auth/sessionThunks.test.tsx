import { act, render, waitFor } from "@testing-library/react";
import { Provider } from "react-redux";
import { expect, test, vi } from "vitest";
import { type SessionEnd, sessionEnded, TOKEN_KEY, tokenReceived, userLoaded } from "@/api/sessionSlice";
import { aToken, onSession } from "@/testing/app";
import { karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onNetworkError, startServer } from "@/testing/server";
import { storeOf } from "@/testing/serverScreen";
import { SessionManager } from "./SessionManager";
import { checkSession } from "./sessionEnd";
import { renewDueToken, renewToken } from "./sessionThunks";

startServer();

function renderSessionManager() {
  const store = storeOf(null);
  render(
    <Provider store={store}>
      <SessionManager />
    </Provider>,
  );
  const waitForPhase = (phase: string) => waitFor(() => expect(store.getState().session.phase).toBe(phase));
  return { store, waitForPhase };
}

/** Tells this tab that another tab has stored a token, or removed it (null). */
const receiveStorageEvent = (newValue: string | null) =>
  act(() => void window.dispatchEvent(new StorageEvent("storage", { key: TOKEN_KEY, newValue })));

/** Fakes only these timers and the date, because the fake server needs the others. */
const fakeClock = () =>
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
    shouldAdvanceTime: true,
  });

test("the stored token of the signed-in user is used, and no new one is requested", async () => {
  onSession(karim);
  localStorage.setItem(TOKEN_KEY, aToken());
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  expect(store.getState().session.user).toEqual(karim);
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
  expect(store.getState().session.phase).toBe("in");
  on("get", "/jwt", () => ({ body: { accessToken: aToken(3600, "later") } }));
  await act(() => vi.advanceTimersByTimeAsync(61_000));
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
  expect(store.getState().session.end?.reason).toMatch(/session has ended/);
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
    expect(store.getState().session.phase).toBe("in");
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
    expect(store.getState().session).toMatchObject({ phase: "out", end: { by: "expired" } });
    expect(store.getState().session.accessToken).toBeNull();
    expect(store.getState().session.end?.reason).toMatch(/session has ended/);
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

/** The drafts that this tab stores. */
const drafts = () => [sessionStorage.getItem("formDraft"), sessionStorage.getItem("editDrafts")];

const endsElsewhere: { end: SessionEnd; keepsDrafts: boolean }[] = [
  { end: { by: "person" }, keepsDrafts: false },
  { end: { by: "server", reason: "Your account has changed. Please log in again." }, keepsDrafts: true },
  { end: { by: "server" }, keepsDrafts: true },
  { end: { by: "expired", reason: "Your session has ended. Please log in again." }, keepsDrafts: true },
  { end: { by: "removed", reason: "Your account has been deleted." }, keepsDrafts: true },
];

test.each(endsElsewhere)(
  "a session that another tab ended ($end.by, $end.reason) ends here in the same way, without a request",
  async ({ end, keepsDrafts }) => {
    onSession(karim);
    const { store, waitForPhase } = renderSessionManager();
    await waitForPhase("in");
    const otherTab = storeOf(karim);
    // The other tab has the same session, and so the same token.
    otherTab.dispatch(tokenReceived(store.getState().session.accessToken ?? ""));
    sessionStorage.setItem("formDraft", "{}");
    sessionStorage.setItem("editDrafts", "{}");
    otherTab.dispatch(sessionEnded(end));
    sessionStorage.setItem("formDraft", "{}");
    sessionStorage.setItem("editDrafts", "{}");
    const told = end.by === "server" || end.by === "removed" ? 1 : 0;
    await waitFor(() => expect(callsTo("POST", "/identity/sign-out")).toHaveLength(told));
    receiveStorageEvent(null);
    await waitForPhase("out");
    expect(store.getState().session).toMatchObject({ accessToken: null, end });
    expect(drafts()).toEqual(keepsDrafts ? ["{}", "{}"] : [null, null]);
    expect(callsTo("POST", "/identity/sign-out")).toHaveLength(told);
  },
);

test.each([
  { answer: { body: karim }, phase: "in" },
  { answer: errorResponse(503, "Later"), phase: "in" },
  { answer: errorResponse(401, "Not signed in"), phase: "out" },
])("a token that was removed and nobody says why is a question to the server: $phase", async (given) => {
  onSession(karim);
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  sessionStorage.setItem("formDraft", "{}");
  localStorage.removeItem(TOKEN_KEY);
  const before = callsTo("GET", "/identity/me").length;
  on("get", "/identity/me", given.answer);
  receiveStorageEvent(null);
  await waitFor(() => expect(callsTo("GET", "/identity/me").length).toBeGreaterThan(before));
  await waitForPhase(given.phase);
  if (given.phase === "out") expect(store.getState().session.end?.by).toBe("expired");
  expect(sessionStorage.getItem("formDraft")).toBe("{}");
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
  act(() => void store.dispatch(sessionEnded({ by: "server", reason: "Your session has ended." })));
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
    store.dispatch(userLoaded(changed));
    await renewal;
  });
  expect(tokenEmails().at(-1)).toBe(changed.email);
  expect(store.getState().session).toMatchObject({ phase: "in", user: changed });
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
  expect(store.getState().session).toMatchObject({ phase: "in", user: changed });
});

const HOUR_MS = 3_600_000;

test.each([
  ["right", 0],
  ["an hour ahead", HOUR_MS],
  ["fifty minutes ahead", 50 * 60_000],
  ["two hours ahead", 2 * HOUR_MS],
  ["a day ahead", 24 * HOUR_MS],
  ["an hour behind", -HOUR_MS],
  ["two hours behind", -2 * HOUR_MS],
  ["a day behind", -24 * HOUR_MS],
])("a device whose clock is %s asks for a token once an hour", async (_, ahead) => {
  fakeClock();
  vi.setSystemTime(Date.now() + ahead);
  const serverTime = () => Date.now() - ahead;
  const headers = () => ({ Date: new Date(serverTime()).toUTCString() });
  on("get", "/identity/me", () => ({ body: { ...karim }, headers: headers() }));
  on("get", "/jwt", () => ({ body: { accessToken: aToken(3600 - ahead / 1000) }, headers: headers() }));
  const { waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  await act(() => vi.advanceTimersByTimeAsync(48 * 60_000));
  expect(callsTo("GET", "/jwt")).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(4 * 60_000));
  expect(callsTo("GET", "/jwt")).toHaveLength(2);
});

test("a token that never seems to last is renewed once a minute at most", async () => {
  fakeClock();
  onSession(karim);
  on("get", "/jwt", () => ({ body: { accessToken: aToken(-10) } }));
  const { store, waitForPhase } = renderSessionManager();
  await waitForPhase("in");
  const before = callsTo("GET", "/jwt").length;
  await act(async () => {
    for (let second = 0; second < 180; second++) {
      await store.dispatch(renewDueToken(0));
      await vi.advanceTimersByTimeAsync(1000);
    }
  });
  expect(callsTo("GET", "/jwt").length - before).toBeLessThanOrEqual(4);
});
