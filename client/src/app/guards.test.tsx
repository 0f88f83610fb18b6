import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { loggedOut, TOKEN_KEY } from "@/api/session";
import { aToken, onPublic, onSession, renderApp, signedIn } from "@/testing/app";
import { aProduct, karim, salma } from "@/testing/factories";
import { callsTo, on, onList, onRole, refusal, startServer } from "@/testing/server";

startServer();

async function login(user: ReturnType<typeof renderApp>["user"]) {
  on("post", "/identity/sign-in", { body: { ...karim } });
  await user.type(await screen.findByLabelText("Email"), karim.email);
  await user.type(screen.getByLabelText("Password"), "secret1");
  await user.click(screen.getByRole("button", { name: "Login" }));
}

test("a visitor is sent to the login, and from there back to the screen they wanted", async () => {
  onPublic();
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

test("a login without an origin ends at Home", async () => {
  onPublic();
  onSession(null);
  const { user } = renderApp("/login");
  await login(user);
  expect(await screen.findByRole("link", { name: "Get Started" })).toBeVisible();
});

test("until the session is known, a spinner shows", async () => {
  onPublic();
  let answer: () => void = () => undefined;
  on(
    "get",
    "/identity/me",
    () => new Promise((done) => (answer = () => done(refusal(401, "Not signed in")))),
  );
  renderApp("/dashboard");
  expect(screen.getByText("Loading").closest("[role=status]")).toBeInTheDocument();
  await waitFor(() => expect(callsTo("GET", "/identity/me")).toHaveLength(1));
  answer();
  expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
});

test("a screen of another role is not shown, and its list is not fetched", async () => {
  signedIn(karim, "buyer");
  renderApp("/dashboard/allBuyers");
  expect(await screen.findByText("This page is for admins")).toBeVisible();
  expect(callsTo("GET", "/users/buyers")).toHaveLength(0);
});

test("a 401 on the orders logs out: token removed, identity session ended, and the login leads back", async () => {
  signedIn(karim, "buyer");
  on("get", "/bookings", refusal(401, "Token is no longer valid"));
  localStorage.setItem(TOKEN_KEY, aToken());
  renderApp("/dashboard/myOrders");
  expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
  await waitFor(() => expect(callsTo("POST", "/identity/sign-out")).toHaveLength(1));
});

test("a token that the server refuses logs out too, before any list is fetched", async () => {
  signedIn(karim, "buyer");
  on("get", `/users/admin/${encodeURIComponent(karim.email)}`, refusal(401, "Not a token of ours"));
  localStorage.setItem(TOKEN_KEY, "forged");
  renderApp("/dashboard/myOrders");
  expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
  expect(callsTo("GET", "/jwt")).toHaveLength(0);
});

test("a session that was ended elsewhere ends with the next refused call, and the login says so", async () => {
  signedIn(salma, "seller");
  onList("/products", "me", [aProduct({ name: "Mine" })]);
  on("delete", "/products/:id", refusal(401, "Token is no longer valid"));
  const { user } = renderApp("/dashboard/myProducts");
  await user.click(await screen.findByRole("button", { name: /^Delete/ }));
  on("get", "/identity/me", refusal(401, "Not signed in"));
  const question = screen.getByRole("alertdialog");
  await user.click(within(question).getByRole("button", { name: "Delete" }));
  expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
  expect(screen.getByText("Your session has ended. Please log in again.")).toBeVisible();
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
});

test("a refused call does not end a valid session", async () => {
  signedIn(salma, "seller");
  onList("/products", "me", [aProduct({ name: "Mine" })]);
  on("delete", "/products/:id", refusal(401, "Token is no longer valid"));
  const { user } = renderApp("/dashboard/myProducts");
  await user.click(await screen.findByRole("button", { name: /^Delete/ }));
  const question = screen.getByRole("alertdialog");
  const asked = callsTo("GET", "/identity/me").length;
  await user.click(within(question).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(callsTo("GET", "/identity/me").length).toBeGreaterThan(asked));
  expect(localStorage.getItem(TOKEN_KEY)).not.toBeNull();
});

test("on a public screen a toast says that the session ended", async () => {
  signedIn(karim, "buyer");
  const { store } = renderApp("/blog");
  await waitFor(() => expect(store.getState().auth.phase).toBe("in"));
  expect(await screen.findByText("Coming Soon...")).toBeVisible();
  act(() => void store.dispatch(loggedOut("Your account has been removed.")));
  expect(await screen.findByText("Your account has been removed.")).toBeVisible();
  expect(screen.getByText("Coming Soon...")).toBeVisible();
});

test("SignOut leads to the login, which does not lead back", async () => {
  signedIn(salma, "seller");
  onList("/products", "me", []);
  const { user, store } = renderApp("/dashboard/myProducts");
  await user.click(await screen.findByRole("button", { name: "SignOut" }));
  expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
  expect(store.getState().auth.wished).toBe(true);
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
  await waitFor(() => expect(callsTo("POST", "/identity/sign-out")).toHaveLength(1));
});
