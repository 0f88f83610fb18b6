import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aToken, onPublicCalls, onSession, renderApp } from "@/testing/app";
import { karim, salma } from "@/testing/factories";
import { calls, callsTo, errorResponse, on, onConfig, onRole, startServer } from "@/testing/server";

startServer();

/** The calls that change or read an account, in order. */
const accountCalls = () =>
  calls
    .filter(({ method, url }) => method === "POST" || url.startsWith("/jwt"))
    .map(({ method, url }) => `${method} ${url}`);

async function openForm(path: string) {
  onPublicCalls();
  onSession(null);
  const { user } = renderApp(path);
  await screen.findByLabelText("Email");
  return user;
}

/** Fills in the sign-up form for Salma and sends it. */
async function signUpAsSeller(user: Awaited<ReturnType<typeof openForm>>, email = salma.email) {
  await user.type(screen.getByLabelText("Name"), salma.displayName);
  await user.type(screen.getByLabelText("Email"), email);
  await user.type(screen.getByLabelText("Password"), "secret1");
  await user.click(screen.getByRole("radio", { name: "Seller: I want to sell, and buy" }));
  await user.click(screen.getByRole("button", { name: "Sign Up" }));
}

test("the login form shows the spec's validation messages", async () => {
  const user = await openForm("/login");
  const press = () => user.click(screen.getByRole("button", { name: "Login" }));
  await press();
  expect(await screen.findByText("Email Address is required")).toBeVisible();
  expect(screen.getByText("Password is required")).toBeVisible();
  await user.type(screen.getByLabelText("Password"), "12345");
  await press();
  expect(await screen.findByText("Password must be atleast 6 characters or longer")).toBeVisible();
  expect(callsTo("POST", "/identity/sign-in")).toHaveLength(0);
});

test("the sign-up form shows the spec's validation messages and account types", async () => {
  const user = await openForm("/signUp");
  await user.click(screen.getByRole("button", { name: "Sign Up" }));
  for (const message of [
    "Name is required",
    "Email Address is required",
    "Password is required",
    "Account type is required",
  ]) {
    expect(await screen.findByText(message)).toBeVisible();
  }
  const choices = within(screen.getByRole("group", { name: "Account type" })).getAllByRole("radio");
  expect(choices.map((choice) => choice.getAttribute("value"))).toEqual(["User", "Seller"]);
  expect(callsTo("POST", "/identity/sign-up")).toHaveLength(0);
});

test("the identity provider's message is shown below the form", async () => {
  const user = await openForm("/login");
  on("post", "/identity/sign-in", errorResponse(401, "Wrong email or password"));
  await user.type(screen.getByLabelText("Email"), karim.email);
  await user.type(screen.getByLabelText("Password"), "secret1{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent("Wrong email or password");
});

test("the sign-up creates the account, then the market's user, then fetches the token", async () => {
  const user = await openForm("/signUp");
  on("post", "/identity/sign-up", { status: 201, body: { ...salma } });
  on("post", "/users", { body: { acknowledged: true, insertedId: "1" } });
  onRole(salma.email, "seller");
  await signUpAsSeller(user);
  expect(await screen.findByText("User Created Successfully")).toBeVisible();
  expect(accountCalls()).toEqual([
    "POST /identity/sign-up",
    "POST /users",
    `GET /jwt?email=${encodeURIComponent(salma.email)}`,
  ]);
  expect(callsTo("POST", "/identity/sign-up")[0]?.body).toEqual({
    email: salma.email,
    password: "secret1",
    displayName: salma.displayName,
    key: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(callsTo("POST", "/users")[0]?.body).toEqual({
    name: salma.displayName,
    email: salma.email,
    accountType: "Seller",
  });
});

test("the sign-up sends the same key again when it is repeated", async () => {
  const user = await openForm("/signUp");
  on("post", "/identity/sign-up", errorResponse(503, "Please try again"));
  await signUpAsSeller(user);
  expect(await screen.findByText("Please try again")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Sign Up" }));
  await waitFor(() => expect(callsTo("POST", "/identity/sign-up")).toHaveLength(2));
  const [first, second] = callsTo("POST", "/identity/sign-up").map(({ body }) => body as { key: string });
  expect(first?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(second?.key).toBe(first?.key);
});

test("an invalid email marks its field and shows the reason", async () => {
  const user = await openForm("/signUp");
  on(
    "post",
    "/identity/sign-up",
    errorResponse(422, "Email Address is not valid", { email: "Email Address is not valid" }),
  );
  await signUpAsSeller(user, "salma.example.com");
  await waitFor(() => expect(screen.getByLabelText("Email")).toBeInvalid());
  expect(screen.getByLabelText("Email")).toHaveAccessibleDescription("Email Address is not valid");
  await waitFor(() => expect(screen.getByLabelText("Email")).toHaveFocus());
  expect(screen.getAllByText("Email Address is not valid")).toHaveLength(1);
});

test("the first sign-in with Google creates a user of the type User", async () => {
  onPublicCalls();
  onRole(karim.email, "buyer");
  onSession(karim);
  let userExists = false;
  on("get", "/jwt", () =>
    userExists
      ? { body: { accessToken: aToken() } }
      : { status: 403, body: { message: "No user", code: "no_user" } },
  );
  on("post", "/users", () => {
    userExists = true;
    return { body: { acknowledged: true } };
  });
  renderApp("/blog");
  expect(await screen.findByRole("button", { name: "SignOut" })).toBeVisible();
  expect(callsTo("POST", "/users")[0]?.body).toMatchObject({ email: karim.email, accountType: "User" });
});

test("the account type is kept when the sign-up fails after the account was created", async () => {
  const user = await openForm("/signUp");
  on("post", "/identity/sign-up", { status: 201, body: { ...salma } });
  on("post", "/users", errorResponse(503, "Please try again"));
  await signUpAsSeller(user);
  expect(await screen.findByText("Please try again")).toBeVisible();

  on("get", "/jwt", () =>
    callsTo("POST", "/users").length > 1
      ? { body: { accessToken: aToken() } }
      : { status: 403, body: { message: "No user", code: "no_user" } },
  );
  on("post", "/users", { body: { acknowledged: true } });
  on("post", "/identity/sign-in", { body: { ...salma } });
  onRole(salma.email, "seller");
  await user.click(screen.getByRole("link", { name: "Log in" }));
  await user.type(await screen.findByLabelText("Email"), salma.email);
  await user.type(screen.getByLabelText("Password"), "secret1{Enter}");
  await waitFor(() => expect(callsTo("POST", "/users")[1]?.body).toMatchObject({ accountType: "Seller" }));
});

test("a demo login fills the form", async () => {
  onSession(null);
  onConfig({ demoLogins: [{ role: "buyer", email: karim.email, password: "demo-buyer" }] });
  const { user } = renderApp("/login");
  await user.click(await screen.findByRole("button", { name: "Buyer" }));
  expect(screen.getByLabelText("Email")).toHaveValue(karim.email);
  expect(screen.getByLabelText("Password")).toHaveValue("demo-buyer");
});

test("the Google button is shown if the server offers it, and returns to the requested path", async () => {
  onSession(null);
  onConfig({ google: true });
  on("get", "/allCategories", { body: [] });
  renderApp("/category/7");
  const button = await screen.findByRole("link", { name: "Continue with Google" });
  expect(button).toHaveAttribute("href", "/identity/google?returnTo=%2Fcategory%2F7");
});

test("linking Google to a password account requires the password, then returns to the path", async () => {
  onPublicCalls();
  onSession(null);
  onRole(karim.email, "buyer");
  on("post", "/identity/google/link", { body: { user: { ...karim }, returnTo: "/blog" } });
  const { user } = renderApp("/login?link=1");
  await user.type(await screen.findByLabelText("Password"), "secret1{Enter}");
  expect(await screen.findByText("Coming Soon...")).toBeVisible();
  expect(callsTo("POST", "/identity/google/link")[0]?.body).toEqual({ password: "secret1" });
});

test.each([
  ["google_denied", /Google sign-in was cancelled/],
  ["some_new_code", /Google sign-in failed/],
])("a failed Google sign-in with %s shows a message under the form", async (code, message) => {
  await openForm(`/login?error=${code}`);
  expect(screen.getByRole("alert")).toHaveTextContent(message);
});
