import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { sessionEnded, TOKEN_KEY } from "@/api/sessionSlice";
import { loadSession } from "@/features/auth/sessionThunks";
import { aToken, onPublicCalls, onSession, onSignedInUser, renderApp } from "@/testing/app";
import { createDeferred } from "@/testing/deferred";
import { aBooking, aProduct, karim, salma } from "@/testing/factories";
import {
  callsTo,
  errorResponse,
  type MockResponse,
  on,
  onList,
  onNetworkError,
  onRole,
  startServer,
} from "@/testing/server";

startServer();

async function login(user: ReturnType<typeof renderApp>["user"]) {
  on("post", "/identity/sign-in", { body: { ...karim } });
  await user.type(await screen.findByLabelText("Email"), karim.email);
  await user.type(screen.getByLabelText("Password"), "secret1");
  await user.click(screen.getByRole("button", { name: "Login" }));
}

test("a visitor of a guarded screen is redirected to the login, and after it to that screen", async () => {
  onPublicCalls();
  onSession(null);
  onRole(karim.email, "buyer");
  onList("/bookings", "me", []);
  const { user } = renderApp("/dashboard/myOrders?sort=1");
  expect(await screen.findByText("Log in to see your orders")).toBeVisible();
  await login(user);
  expect(await screen.findByRole("heading", { name: "Dashboard" })).toBeVisible();
  expect(await screen.findByRole("link", { name: "My Orders" })).toHaveAttribute("aria-current", "page");
  expect(screen.getByText("SignIn Successful")).toBeVisible();
  expect(localStorage.getItem(TOKEN_KEY)).toBeTruthy();
});

test.each(["/dashboard/nope", "/dashboard/myProducts/1/more"])(
  "a visitor of %s, which is no screen, sees the not-found page",
  async (path) => {
    onPublicCalls();
    onSession(null);
    renderApp(path);
    expect(await screen.findByText("The route you are searching is not available!!!")).toBeVisible();
    await waitFor(() => expect(callsTo("GET", "/identity/me")).toHaveLength(1));
    expect(screen.queryByRole("heading", { name: "Login" })).toBeNull();
  },
);

test("a seller who opens the link of a handover code without a session returns to the order with the code after the login", async () => {
  onPublicCalls();
  onSession(null);
  onRole(karim.email, "seller");
  const order = aBooking({ paid: true, status: "paid", fulfilment: { state: "waiting" } });
  on("get", `/booking/${order._id}`, { body: { ...order } });
  const { user } = renderApp(`/dashboard/order/${order._id}#code=012345`);
  await login(user);
  expect(await screen.findByLabelText("Code")).toHaveValue("012345");
});

test("a login without a path to return to leads to Home", async () => {
  onPublicCalls();
  onSession(null);
  onRole(karim.email, "buyer");
  const { user } = renderApp("/login");
  await login(user);
  expect(await screen.findByRole("link", { name: "Get Started" })).toBeVisible();
});

test("a guarded screen shows a spinner until the session is known", async () => {
  onPublicCalls();
  const response = createDeferred<MockResponse>();
  on("get", "/identity/me", () => response.promise);
  renderApp("/dashboard");
  expect(screen.getByText("Loading").closest("[role=status]")).toBeInTheDocument();
  await waitFor(() => expect(callsTo("GET", "/identity/me")).toHaveLength(1));
  response.resolve(errorResponse(401, "Not signed in"));
  expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
});

test("the login waits while the server cannot be reached, and then shows its form to a visitor", async () => {
  onPublicCalls();
  onNetworkError("get", "/identity/me");
  const { store } = renderApp("/login");
  expect(await screen.findByText("Waiting for the server")).toBeInTheDocument();
  expect(store.getState().session.phase).toBe("failed");
  expect(screen.queryByLabelText("Email")).toBeNull();
  onSession(null);
  await act(() => store.dispatch(loadSession()));
  expect(await screen.findByLabelText("Email")).toBeVisible();
});

test.each([
  ["buyers and sellers", "admin", ["myOrders"]],
  ["sellers", "buyer", ["addProduct", "myProducts", "myProducts/1", "earnings"]],
  ["admins", "buyer", ["allBuyers", "allSellers", "cases", "reportedItems", "auditTrail", "orders"]],
  ["admins", "seller", ["allBuyers", "allSellers", "cases", "reportedItems", "auditTrail", "orders"]],
  ["admins who handle orders", "moderator", ["orders"]],
] as const)(
  "a screen for %s is not shown to a %s, and its list is not fetched",
  async (group, role, paths) => {
    onSignedInUser(karim, role);
    for (const path of paths) {
      const { unmount } = renderApp(`/dashboard/${path}`);
      expect(await screen.findByText(`This page is for ${group}`)).toBeVisible();
      expect(within(screen.getByRole("main")).queryByRole("heading", { level: 2 })).toBeNull();
      unmount();
    }
    const admins = ["/users/buyers", "/users/sellers", "/reportedItems", "/cases", "/auditLog", "/orders"];
    // An admin's menu counts what waits for an admin.
    const refused = { admin: [], moderator: ["/orders"], buyer: admins, seller: admins }[role];
    for (const list of ["/bookings", "/products", "/earnings", ...refused]) {
      expect(callsTo("GET", list)).toHaveLength(0);
    }
  },
);

test("a buyer on a seller's screen becomes a seller with one press, and the screen is shown", async () => {
  onSignedInUser(karim, "buyer");
  const { user } = renderApp("/dashboard/addProduct");
  const start = await screen.findByRole("button", { name: "Start selling" });
  on("post", "/users", errorResponse(503, "Please try again"));
  await user.click(start);
  expect(await screen.findByText("Please try again")).toBeVisible();
  on("post", "/users", { body: { acknowledged: true, insertedId: "1" } });
  on("get", "/productCategory", { body: [] });
  onRole(karim.email, "seller");
  await user.click(start);
  expect(await screen.findByRole("heading", { name: "Add A Product" })).toBeVisible();
  expect(callsTo("POST", "/users").at(-1)?.body).toMatchObject({ email: karim.email, accountType: "Seller" });
  expect(screen.getByRole("link", { name: "My Orders" })).toBeVisible();
  expect(screen.getByRole("main")).toHaveFocus();
});

test("a 401 on the orders removes the token, ends the identity session and shows the login", async () => {
  onSignedInUser(karim, "buyer");
  on("get", "/bookings", errorResponse(401, "Token is no longer valid"));
  localStorage.setItem(TOKEN_KEY, aToken());
  renderApp("/dashboard/myOrders");
  expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
  await waitFor(() => expect(callsTo("POST", "/identity/sign-out")).toHaveLength(1));
});

describe("a look-up that is refused with 401", () => {
  const ROLE_LOOKUPS = ["admin", "seller", "buyer", "verified"] as const;

  /** The look-up is refused; only the first time if it is not for good. */
  function onRefusedLookup(lookup: string, isForGood = true) {
    onSignedInUser(karim, "seller");
    const path = `/users/${lookup}/${encodeURIComponent(karim.email)}`;
    const answers = {
      admin: "isAdmin",
      seller: "isSeller",
      buyer: "isBuyer",
      verified: "isVerified",
    } as Record<string, string>;
    let refusals = 0;
    on("get", path, () => {
      refusals += 1;
      return isForGood || refusals === 1
        ? errorResponse(401, "No longer valid")
        : { body: { [answers[lookup] as string]: lookup === "seller" } };
    });
    on("get", "/products", { body: [] });
    localStorage.setItem(TOKEN_KEY, aToken());
  }

  test.each(ROLE_LOOKUPS)("does not end a session that is valid (%s)", async (lookup) => {
    onRefusedLookup(lookup, false);
    const { store } = renderApp("/dashboard/myProducts");
    // By the sign-in, and by the check.
    await waitFor(() => expect(callsTo("GET", "/identity/me").length).toBeGreaterThan(1));
    expect(await screen.findByRole("heading", { name: /^My Products/ })).toBeVisible();
    expect(store.getState().session).toMatchObject({ phase: "in", user: karim });
    expect(localStorage.getItem(TOKEN_KEY)).not.toBeNull();
    expect(callsTo("GET", "/jwt")).toHaveLength(0);
  });

  test.each(ROLE_LOOKUPS)("leads to the login if the token is refused again (%s)", async (lookup) => {
    onRefusedLookup(lookup);
    renderApp("/dashboard/myProducts");
    expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
    expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
  });

  test.each(ROLE_LOOKUPS)("ends a session that the server does not know any more (%s)", async (lookup) => {
    onRefusedLookup(lookup);
    let requests = 0;
    on("get", "/identity/me", () => {
      requests += 1;
      return requests === 1 ? { body: { ...karim } } : errorResponse(401, "Not signed in");
    });
    sessionStorage.setItem("formDraft", "{}");
    const { store } = renderApp("/dashboard/myProducts");
    expect(await screen.findByText("Your session has ended. Please log in again.")).toBeVisible();
    expect(store.getState().session.end?.by).toBe("expired");
    expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
    expect(sessionStorage.getItem("formDraft")).toBe("{}");
  });
});

test("a session that was ended on another device ends with the next 401, and the login says so", async () => {
  onSignedInUser(salma, "seller");
  onList("/products", "me", [aProduct({ name: "Mine" })]);
  on("delete", "/products/:id", errorResponse(401, "Token is no longer valid"));
  const { user } = renderApp("/dashboard/myProducts");
  await user.click(await screen.findByRole("button", { name: /^Delete/ }));
  on("get", "/identity/me", errorResponse(401, "Not signed in"));
  const dialog = screen.getByRole("alertdialog");
  await user.click(within(dialog).getByRole("button", { name: "Delete" }));
  expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
  expect(screen.getByText("Your session has ended. Please log in again.")).toBeVisible();
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
});

test("a 401 does not end a valid session", async () => {
  onSignedInUser(salma, "seller");
  onList("/products", "me", [aProduct({ name: "Mine" })]);
  on("delete", "/products/:id", errorResponse(401, "Token is no longer valid"));
  const { user } = renderApp("/dashboard/myProducts");
  await user.click(await screen.findByRole("button", { name: /^Delete/ }));
  const dialog = screen.getByRole("alertdialog");
  const before = callsTo("GET", "/identity/me").length;
  await user.click(within(dialog).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(callsTo("GET", "/identity/me").length).toBeGreaterThan(before));
  expect(localStorage.getItem(TOKEN_KEY)).not.toBeNull();
});

test("a public screen shows a toast when the session ends", async () => {
  onSignedInUser(karim, "buyer");
  const { store } = renderApp("/blog");
  await waitFor(() => expect(store.getState().session.phase).toBe("in"));
  expect(await screen.findByText("Coming Soon...")).toBeVisible();
  act(() => void store.dispatch(sessionEnded({ by: "server", reason: "Your account has been deleted." })));
  expect(await screen.findByText("Your account has been deleted.")).toBeVisible();
  expect(screen.getByText("Coming Soon...")).toBeVisible();
});

test("SignOut leads to the login, without a path to return to", async () => {
  onSignedInUser(salma, "seller");
  onList("/products", "me", []);
  const { user, store } = renderApp("/dashboard/myProducts");
  await user.click(await screen.findByRole("button", { name: "SignOut" }));
  expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
  expect(store.getState().session.end).toMatchObject({ by: "person" });
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
  await waitFor(() => expect(callsTo("POST", "/identity/sign-out")).toHaveLength(1));
});
