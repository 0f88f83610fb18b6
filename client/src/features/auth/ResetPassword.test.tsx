import { screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { expect, test } from "vitest";
import { loggedOut, selectEndReason } from "@/api/sessionSlice";
import { onPublicCalls, onSession, onSignedInUser, renderApp } from "@/testing/app";
import { karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onConfig, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import { ConfirmEmail } from "./ConfirmEmail";
import { FirstAdmin } from "./FirstAdmin";
import { ResetPassword } from "./ResetPassword";

startServer();

const LINK = "#token=u-karim.secret_-1";
const TOKEN = "u-karim.secret_-1";
const gone = { status: 410, body: { message: "This link has been used", code: "gone" } };

function visit(path: string, config: Parameters<typeof onConfig>[0] = { mail: true }) {
  onPublicCalls();
  onConfig(config);
  onSession(null);
  return renderApp(path);
}

test("a forgotten password: the typed email is passed on, and the confirmation is the same for everybody", async () => {
  const { user } = visit("/login");
  on("post", "/identity/forgot", { status: 204 });
  await user.type(await screen.findByLabelText("Email"), karim.email);
  await user.click(screen.getByRole("link", { name: "Forgot password?" }));
  expect(await screen.findByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  expect(await screen.findByLabelText("Email")).toHaveValue(karim.email);
  await user.click(screen.getByRole("button", { name: "Send link" }));
  expect(await screen.findByText(/^If there is an account with this email/)).toBeVisible();
  expect(screen.queryByText(/This is the demo/)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Send again" }));
  expect(await screen.findByText(/^Please check your inbox again/)).toBeVisible();
  expect(callsTo("POST", "/identity/forgot").map(({ body }) => body)).toEqual([
    { email: karim.email },
    { email: karim.email },
  ]);
  await user.click(screen.getByRole("link", { name: "login" }));
  expect(await screen.findByRole("button", { name: "Login" })).toBeVisible();
  expect(screen.getByLabelText("Email")).toHaveValue(karim.email);
});

test("the path to return to is kept over the form of a forgotten password", async () => {
  const { user } = visit("/dashboard/myOrders");
  await user.click(await screen.findByRole("link", { name: "Forgot password?" }));
  await user.click(await screen.findByRole("link", { name: "login" }));
  expect(await screen.findByText("Log in to see your orders")).toBeVisible();
});

test("an invalid email is marked, and another one can be used", async () => {
  const { user } = visit("/forgot");
  on("post", "/identity/forgot", errorResponse(422, "Wrong", { email: "Email Address is not valid" }));
  await user.type(await screen.findByLabelText("Email"), "karim{Enter}");
  expect(await screen.findByText("Email Address is not valid")).toBeVisible();
  on("post", "/identity/forgot", { status: 204 });
  await user.type(screen.getByLabelText("Email"), "@example.com{Enter}");
  await user.click(await screen.findByRole("button", { name: "Use another email" }));
  expect(screen.getByLabelText("Email")).toBeEnabled();
});

test("the demo shows where the email is", async () => {
  const { user } = visit("/forgot", { mail: true, mailbox: "/sandbox/mail" });
  on("post", "/identity/forgot", { status: 204 });
  await user.type(await screen.findByLabelText("Email"), "karim@example.com{Enter}");
  const link = await screen.findByRole("link", { name: "the email is shown here" });
  expect(link).toHaveAttribute("href", "/sandbox/mail?to=karim%40example.com");
});

test("a demo that sends email does not lead to a mailbox", async () => {
  const { user } = visit("/forgot", { mail: true, demoLogins: [] });
  on("post", "/identity/forgot", { status: 204 });
  await user.type(await screen.findByLabelText("Email"), "karim@example.com{Enter}");
  expect(await screen.findByRole("button", { name: "Send again" })).toBeVisible();
  expect(screen.queryByRole("link", { name: "the email is shown here" })).toBeNull();
});

test("a market that sends no email shows its contact data", async () => {
  visit("/forgot", {});
  expect(await screen.findByRole("link", { name: "hello@example.com" })).toBeVisible();
  expect(screen.queryByLabelText("Email")).toBeNull();
});

test("a market without email and contact data offers neither", async () => {
  visit("/forgot", { contact: { email: "", phone: "", location: "" } });
  expect(await screen.findByText(/^We can't send email.*the people who run this site/)).toBeVisible();
});

test("a new password is sent with the token of the link, and the login says that it was changed", async () => {
  const { user } = visit(`/reset${LINK}`);
  on("post", "/identity/reset", { status: 204 });
  const field = await screen.findByLabelText("New password");
  expect(field).toHaveAccessibleDescription(/^6 characters or more/);
  await user.type(field, "correct horse");
  expect(field).toHaveAccessibleDescription("Strong password");
  await user.click(screen.getByRole("button", { name: "Save password" }));
  expect(await screen.findByRole("button", { name: "Login" })).toBeVisible();
  expect(screen.getByText("Your password has been changed. Please log in.")).toBeVisible();
  expect(callsTo("POST", "/identity/reset").map(({ body }) => body)).toEqual([
    { token: TOKEN, password: "correct horse" },
  ]);
});

test("somebody who is signed in is signed out by the new password", async () => {
  onSignedInUser(karim, "buyer");
  const { user, store } = renderApp(`/reset${LINK}`);
  expect(await screen.findByRole("button", { name: "SignOut" })).toBeVisible();
  on("post", "/identity/reset", { status: 204 });
  await user.type(await screen.findByLabelText("New password"), "correct horse{Enter}");
  expect(await screen.findByRole("button", { name: "Login" })).toBeVisible();
  expect(selectEndReason(store.getState())).toBe("Your password has been changed. Please log in.");
});

test("a password that the server refuses marks its field", async () => {
  const { user } = renderScreen(<ResetPassword />, { at: `/reset${LINK}` });
  on("post", "/identity/reset", errorResponse(422, "Wrong", { password: "Password is too long" }));
  await user.type(screen.getByLabelText("New password"), "123456{Enter}");
  expect(await screen.findByText("Password is too long")).toBeVisible();
  expect(screen.getByLabelText("New password")).toBeInvalid();
});

test.each([`/reset${LINK}`, "/reset"])("a link that can't be used leads to a new one: %s", async (at) => {
  const { user } = renderScreen(<ResetPassword />, { at });
  on("post", "/identity/reset", gone);
  const field = screen.queryByLabelText("New password");
  if (field) await user.type(field, "correct horse{Enter}");
  expect(await screen.findByText("This link has been used or has expired.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Send a new link" })).toHaveAttribute("href", "/forgot");
});

test("an email address is confirmed once, also in strict mode, and the signed-in user is loaded again", async () => {
  on("post", "/identity/verify", { status: 204 });
  onSession(karim);
  const { store } = renderScreen(
    <StrictMode>
      <ConfirmEmail />
    </StrictMode>,
    { at: `/verify${LINK}`, me: { ...karim, emailVerified: false } },
  );
  expect(await screen.findByText("Your email address is confirmed.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Continue shopping" })).toHaveAttribute("href", "/");
  await waitFor(() => expect(store.getState().auth.user?.emailVerified).toBe(true));
  expect(callsTo("POST", "/identity/verify").map(({ body }) => body)).toEqual([{ token: TOKEN }]);
});

test("a link to another address makes it the signed-in user's, with a new token", async () => {
  const renamed = { ...karim, email: "karim.uddin@example.com" };
  on("post", "/identity/verify", { status: 204 });
  onSession(renamed);
  const { store } = renderScreen(<ConfirmEmail />, { at: `/verify${LINK}`, me: karim });
  await waitFor(() => expect(store.getState().auth.user?.email).toBe(renamed.email));
  await waitFor(() => expect(store.getState().session.accessToken).not.toBe("test-token"));
  expect(callsTo("GET", "/jwt").map(({ url }) => url)).toEqual(["/jwt?email=karim.uddin%40example.com"]);
});

test("a used link of an address that is confirmed already says so", async () => {
  on("post", "/identity/verify", gone);
  onSession(karim);
  renderScreen(<ConfirmEmail />, { at: `/verify${LINK}`, me: karim });
  expect(await screen.findByText("Your email address is confirmed.")).toBeVisible();
});

test("a used link offers a new one to the signed-in user", async () => {
  const me = { ...karim, emailVerified: false };
  on("post", "/identity/verify", gone);
  on("post", "/identity/verify/send", { status: 204 });
  onSession(me);
  const { user } = renderScreen(<ConfirmEmail />, { at: `/verify${LINK}`, me });
  expect(await screen.findByText("This link has been used or has expired.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Send a new link" }));
  expect(await screen.findByText(/^Please check your inbox at karim@example.com/)).toBeVisible();
});

test("a used link leads a visitor to the login", async () => {
  visit("/verify");
  expect(await screen.findByText("This link has been used or has expired.")).toBeVisible();
  expect(await screen.findByRole("link", { name: "Log in to get a new link" })).toBeVisible();
});

test("a confirmation that did not reach the server can be repeated", async () => {
  on("post", "/identity/verify", errorResponse(503, "Please try again in a moment"));
  const { user } = renderScreen(<ConfirmEmail />, { at: `/verify${LINK}` });
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  on("post", "/identity/verify", { status: 204 });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Your email address is confirmed.")).toBeVisible();
});

test("a link to another email address says which address counts now", async () => {
  on("post", "/identity/verify", { status: 204 });
  onSession({ ...karim, email: "new@example.com" });
  const { store } = renderScreen(<ConfirmEmail />, { at: `/verify?for=email${LINK}`, me: karim });
  expect(await screen.findByText(/^Your account now uses this email address/)).toBeVisible();
  await waitFor(() => expect(store.getState().auth.user?.email).toBe("new@example.com"));
});

test("taking a change of address back asks first, and signs out", async () => {
  on("post", "/identity/verify", { status: 204 });
  on("post", "/identity/sign-out", errorResponse(401, "Please log in first"));
  const { user, store } = renderScreen(<ConfirmEmail />, { at: `/verify?for=undo${LINK}`, me: karim });
  const button = await screen.findByRole("button", { name: "Change it back" });
  expect(callsTo("POST", "/identity/verify")).toEqual([]);
  await user.click(button);
  expect(await screen.findByText(/^Your account uses this email address again/)).toBeVisible();
  expect(callsTo("POST", "/identity/verify").map(({ body }) => body)).toEqual([{ token: TOKEN }]);
  expect(store.getState().auth.user).toBeNull();
});

test("taking a change of address back is confirmed when the session is ended before the response", async () => {
  const { user, store } = renderScreen(<ConfirmEmail />, { at: `/verify?for=undo${LINK}`, me: karim });
  on("post", "/identity/verify", () => {
    store.dispatch(loggedOut("You were signed out because the email of your account was changed."));
    return { status: 204 };
  });
  on("post", "/identity/sign-out", errorResponse(401, "Please log in first"));
  await user.click(await screen.findByRole("button", { name: "Change it back" }));
  expect(await screen.findByText(/^Your account uses this email address again/)).toBeVisible();
});

test("a new password is confirmed when the session is ended before the response", async () => {
  onSignedInUser(karim, "buyer");
  const { user, store } = renderApp(`/reset${LINK}`);
  expect(await screen.findByRole("button", { name: "SignOut" })).toBeVisible();
  on("post", "/identity/reset", () => {
    store.dispatch(loggedOut("You were signed out because your password was changed."));
    return { status: 204 };
  });
  await user.type(await screen.findByLabelText("New password"), "correct horse{Enter}");
  expect(await screen.findByText("Your password has been changed. Please log in.")).toBeVisible();
});

test("an undo link that has expired says so", async () => {
  on("post", "/identity/verify", gone);
  const { user } = renderScreen(<ConfirmEmail />, { at: `/verify?for=undo${LINK}` });
  await user.click(await screen.findByRole("button", { name: "Change it back" }));
  expect(await screen.findByText(/has expired: it worked for a week/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Contact Us" })).toHaveAttribute("href", "/contact");
});

test("a used link to another email address leads to the account", async () => {
  on("post", "/identity/verify", gone);
  renderScreen(<ConfirmEmail />, { at: `/verify?for=email${LINK}` });
  const account = await screen.findByRole("link", { name: "Your account" });
  expect(account).toHaveAttribute("href", "/dashboard/account");
});

test("the first admin of a new market is made by a link", async () => {
  onSession(null);
  const { user, store } = renderScreen(<FirstAdmin />, { at: `/setup${LINK}` });
  on("post", "/identity/first-admin", errorResponse(422, "Wrong", { password: "Password is required" }));
  await user.type(await screen.findByLabelText("Name"), "Karim");
  await user.type(screen.getByLabelText("Email"), karim.email);
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await user.click(screen.getByRole("button", { name: "Create admin" }));
  expect(await screen.findByText("Password is required")).toBeVisible();
  on("post", "/identity/first-admin", { status: 201, body: karim });
  onSignedInUser(karim, "admin");
  await user.click(screen.getByRole("button", { name: "Create admin" }));
  await waitFor(() => expect(store.getState().auth.user?.email).toBe(karim.email));
  expect(
    callsTo("POST", "/identity/first-admin")
      .map(({ body }) => body)
      .at(-1),
  ).toEqual({
    token: TOKEN,
    displayName: "Karim",
    email: karim.email,
    password: "correct horse",
  });
});

test("a used link to the first admin says so", async () => {
  visit("/setup");
  expect(
    await screen.findByText(/^This link has been used or has expired\. If there is no admin/),
  ).toBeVisible();
});

test("a login that takes a code asks for it after the password", async () => {
  const { user, store } = visit("/login");
  on("post", "/identity/sign-in", {
    status: 401,
    body: { message: "Enter the code", code: "second_factor" },
  });
  await user.type(await screen.findByLabelText("Email"), karim.email);
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await user.click(screen.getByRole("button", { name: "Login" }));
  on("post", "/identity/second-factor", errorResponse(422, "Wrong", { code: "This code is not right" }));
  await user.type(await screen.findByLabelText("Code"), "000000{Enter}");
  expect(await screen.findByText("This code is not right")).toBeVisible();
  on("post", "/identity/second-factor", { body: karim });
  onSignedInUser(karim, "buyer");
  await user.click(screen.getByRole("button", { name: "Login" }));
  await waitFor(() => expect(store.getState().auth.user?.email).toBe(karim.email));
});

test("a Google sign-in that takes a code asks for it", async () => {
  visit("/login?code=1&returnTo=%2Fdashboard%2FmyOrders");
  expect(await screen.findByLabelText("Code")).toBeVisible();
});

test("an admin who needs a second factor is led to its setup", async () => {
  const { user } = visit("/login");
  on("post", "/identity/sign-in", { body: karim });
  on("get", "/jwt", { status: 403, body: { message: "Switch yours on", code: "second_factor_required" } });
  await user.type(await screen.findByLabelText("Email"), karim.email);
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await user.click(screen.getByRole("button", { name: "Login" }));
  expect(await screen.findByText(/^Admins need two-step login/)).toBeVisible();
});
