import { screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { expect, test } from "vitest";
import { sessionEnded } from "@/api/sessionSlice";
import { onPublicCalls, onSession, renderApp } from "@/testing/app";
import { karim } from "@/testing/factories";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import { ConfirmEmail } from "./ConfirmEmail";

startServer();

const LINK = "#token=u-karim.secret_-1";
const TOKEN = "u-karim.secret_-1";
const expired = { status: 410, body: { message: "This link has been used", code: "gone" } };

const confirmButton = () => screen.findByRole("button", { name: "Confirm your address" });

test("an email address is confirmed by a button, not by the load, and the signed-in user is loaded again", async () => {
  on("post", "/identity/verify", { status: 204 });
  onSession(karim);
  const { store, user } = renderScreen(
    <StrictMode>
      <ConfirmEmail />
    </StrictMode>,
    { at: `/verify${LINK}`, me: { ...karim, emailVerified: false } },
  );
  const button = await confirmButton();
  expect(callsTo("POST", "/identity/verify")).toEqual([]);
  await user.click(button);
  expect(await screen.findByText("Your email address is confirmed.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Continue shopping" })).toHaveAttribute("href", "/");
  await waitFor(() => expect(store.getState().session.user?.emailVerified).toBe(true));
  expect(callsTo("POST", "/identity/verify").map(({ body }) => body)).toEqual([{ token: TOKEN }]);
});

test.each(["", "?for=email", "?for=undo", "?for=second-factor", "?for=unknown"])(
  "a mail scanner that runs the scripts of /verify%s sends nothing",
  async (query) => {
    renderScreen(<ConfirmEmail />, { at: `/verify${query}${LINK}` });
    expect(await screen.findByRole("button", { name: /Confirm|Change|Switch/ })).toBeEnabled();
    expect(callsTo("POST", "/identity/verify")).toEqual([]);
  },
);

test("a link to another email address changes the signed-in user's email, and requests a new token", async () => {
  const renamed = { ...karim, email: "karim.uddin@example.com" };
  on("post", "/identity/verify", { status: 204 });
  onSession(renamed);
  const { store, user } = renderScreen(<ConfirmEmail />, { at: `/verify${LINK}`, me: karim });
  await user.click(await confirmButton());
  await waitFor(() => expect(store.getState().session.user?.email).toBe(renamed.email));
  await waitFor(() => expect(store.getState().session.accessToken).not.toBe("test-token"));
  expect(callsTo("GET", "/jwt").map(({ url }) => url)).toEqual(["/jwt?email=karim.uddin%40example.com"]);
});

test("a replaced link shows the confirmation if the email address is already confirmed", async () => {
  on("post", "/identity/verify", expired);
  onSession(karim);
  const { user } = renderScreen(<ConfirmEmail />, { at: `/verify${LINK}`, me: karim });
  await user.click(await confirmButton());
  expect(await screen.findByText("Your email address is confirmed.")).toBeVisible();
});

test("a link that can't be used offers a new one to the signed-in user", async () => {
  const me = { ...karim, emailVerified: false };
  on("post", "/identity/verify", expired);
  on("post", "/identity/verify/send", { status: 204 });
  onSession(me);
  const { user } = renderScreen(<ConfirmEmail />, { at: `/verify${LINK}`, me });
  await user.click(await confirmButton());
  expect(await screen.findByText("This link has been used or has expired.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Send a new link" }));
  expect(await screen.findByText(/^Please check your inbox at karim@example.com/)).toBeVisible();
});

test("a link without a token leads a visitor to the login", async () => {
  onPublicCalls();
  onSession(null);
  renderApp("/verify");
  expect(await screen.findByText("This link has been used or has expired.")).toBeVisible();
  expect(await screen.findByRole("link", { name: "Log in to get a new link" })).toBeVisible();
});

test("a confirmation that did not reach the server can be repeated", async () => {
  on("post", "/identity/verify", errorResponse(503, "Please try again in a moment"));
  const { user } = renderScreen(<ConfirmEmail />, { at: `/verify${LINK}` });
  await user.click(await confirmButton());
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  on("post", "/identity/verify", { status: 204 });
  await user.click(await confirmButton());
  expect(await screen.findByText("Your email address is confirmed.")).toBeVisible();
});

test("a link to another email address shows that the account uses it now", async () => {
  on("post", "/identity/verify", { status: 204 });
  onSession({ ...karim, email: "new@example.com" });
  const { store, user } = renderScreen(<ConfirmEmail />, { at: `/verify?for=email${LINK}`, me: karim });
  await user.click(await confirmButton());
  expect(await screen.findByText(/^Your account now uses this email address/)).toBeVisible();
  await waitFor(() => expect(store.getState().session.user?.email).toBe("new@example.com"));
});

test("the undo of a change of the email asks for a confirmation, and signs out", async () => {
  on("post", "/identity/verify", { status: 204 });
  on("post", "/identity/sign-out", errorResponse(401, "Please log in first"));
  const { user, store } = renderScreen(<ConfirmEmail />, { at: `/verify?for=undo${LINK}`, me: karim });
  const button = await screen.findByRole("button", { name: "Change it back" });
  expect(callsTo("POST", "/identity/verify")).toEqual([]);
  await user.click(button);
  expect(await screen.findByText(/^Your account uses this email address again/)).toBeVisible();
  expect(callsTo("POST", "/identity/verify").map(({ body }) => body)).toEqual([{ token: TOKEN }]);
  expect(store.getState().session.user).toBeNull();
});

test("the undo of a change of the email is confirmed also if the session ends before the response", async () => {
  const { user, store } = renderScreen(<ConfirmEmail />, { at: `/verify?for=undo${LINK}`, me: karim });
  on("post", "/identity/verify", () => {
    store.dispatch(
      sessionEnded({
        by: "server",
        reason: "You were signed out because the email of your account was changed.",
      }),
    );
    return { status: 204 };
  });
  on("post", "/identity/sign-out", errorResponse(401, "Please log in first"));
  await user.click(await screen.findByRole("button", { name: "Change it back" }));
  expect(await screen.findByText(/^Your account uses this email address again/)).toBeVisible();
});

test("an expired undo link shows that it has expired", async () => {
  on("post", "/identity/verify", expired);
  const { user } = renderScreen(<ConfirmEmail />, { at: `/verify?for=undo${LINK}` });
  await user.click(await screen.findByRole("button", { name: "Change it back" }));
  expect(await screen.findByText(/has expired: it worked for a week/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Contact Us" })).toHaveAttribute("href", "/contact");
});

test("a used link to another email address leads to the account", async () => {
  on("post", "/identity/verify", expired);
  const { user } = renderScreen(<ConfirmEmail />, { at: `/verify?for=email${LINK}` });
  await user.click(await confirmButton());
  const account = await screen.findByRole("link", { name: "Your account" });
  expect(account).toHaveAttribute("href", "/dashboard/account");
});

test("the link against a second factor asks for a confirmation, and signs out", async () => {
  on("post", "/identity/verify", { status: 204 });
  on("post", "/identity/sign-out", errorResponse(401, "Please log in first"));
  const { user, store } = renderScreen(<ConfirmEmail />, {
    at: `/verify?for=second-factor${LINK}`,
    me: karim,
  });
  expect(await screen.findByText(/Logging in no longer takes a code/)).toBeVisible();
  expect(callsTo("POST", "/identity/verify")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Switch it off" }));
  expect(await screen.findByText(/^Two-step login is off. We've sent you a link/)).toBeVisible();
  expect(store.getState().session.user).toBeNull();
});
