import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { selectEndReason, sessionEnded } from "@/api/sessionSlice";
import { onPublicCalls, onSession, onSignedInUser, renderApp } from "@/testing/app";
import { karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onConfig, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import { ResetPassword } from "./ResetPassword";

startServer();

const LINK = "#token=u-karim.secret_-1";
const TOKEN = "u-karim.secret_-1";
const good = errorResponse(422, "Wrong", { password: "Password is required" });
const expired = { status: 410, body: { message: "This link has been used", code: "gone" } };

function renderForVisitor(path: string, config: Parameters<typeof onConfig>[0] = { mail: true }) {
  onPublicCalls();
  onConfig(config);
  onSession(null);
  return renderApp(path);
}

test("the form of a forgotten password has the email from the login, and does not show whether the account exists", async () => {
  const { user } = renderForVisitor("/login");
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

test("the form of a forgotten password keeps the path to return to", async () => {
  const { user } = renderForVisitor("/dashboard/myOrders");
  await user.click(await screen.findByRole("link", { name: "Forgot password?" }));
  await user.click(await screen.findByRole("link", { name: "login" }));
  expect(await screen.findByText("Log in to see your orders")).toBeVisible();
});

test("an invalid email is marked, and another one can be used", async () => {
  const { user } = renderForVisitor("/forgot");
  on("post", "/identity/forgot", errorResponse(422, "Wrong", { email: "Email Address is not valid" }));
  await user.type(await screen.findByLabelText("Email"), "karim{Enter}");
  expect(await screen.findByText("Email Address is not valid")).toBeVisible();
  on("post", "/identity/forgot", { status: 204 });
  await user.type(screen.getByLabelText("Email"), "@example.com{Enter}");
  await user.click(await screen.findByRole("button", { name: "Use another email" }));
  expect(screen.getByLabelText("Email")).toBeEnabled();
});

test("the demo has a link to the mailbox", async () => {
  const { user } = renderForVisitor("/forgot", { mail: true, mailbox: "/sandbox/mail" });
  on("post", "/identity/forgot", { status: 204 });
  await user.type(await screen.findByLabelText("Email"), "karim@example.com{Enter}");
  const link = await screen.findByRole("link", { name: "the email is shown here" });
  expect(link).toHaveAttribute("href", "/sandbox/mail?to=karim%40example.com");
});

test("a demo that sends email has no link to a mailbox", async () => {
  const { user } = renderForVisitor("/forgot", { mail: true, demoLogins: [] });
  on("post", "/identity/forgot", { status: 204 });
  await user.type(await screen.findByLabelText("Email"), "karim@example.com{Enter}");
  expect(await screen.findByRole("button", { name: "Send again" })).toBeVisible();
  expect(screen.queryByRole("link", { name: "the email is shown here" })).toBeNull();
});

test("a market that sends no email shows its contact data", async () => {
  renderForVisitor("/forgot", {});
  expect(await screen.findByRole("link", { name: "hello@example.com" })).toBeVisible();
  expect(screen.queryByLabelText("Email")).toBeNull();
});

test("a market without email and contact data names the people who run the site", async () => {
  renderForVisitor("/forgot", { contact: { email: "", phone: "", location: "" } });
  expect(await screen.findByText(/^We can't send email.*the people who run this site/)).toBeVisible();
});

test("a new password is sent with the token of the link, and the login shows that it was changed", async () => {
  const { user } = renderForVisitor(`/reset${LINK}`);
  on("post", "/identity/reset", { status: 204 });
  const field = await screen.findByLabelText("New password");
  expect(field).toHaveAccessibleDescription(/^6 characters or more/);
  await user.type(field, "correct horse");
  expect(field).toHaveAccessibleDescription("Strong password");
  await user.click(screen.getByRole("button", { name: "Save password" }));
  expect(await screen.findByRole("button", { name: "Login" })).toBeVisible();
  expect(screen.getByText("Your password has been changed. Please log in.")).toBeVisible();
  expect(callsTo("POST", "/identity/reset").map(({ body }) => body)).toEqual([
    { token: TOKEN },
    { token: TOKEN, password: "correct horse" },
  ]);
});

test("a new password signs out a signed-in user", async () => {
  onSignedInUser(karim, "buyer");
  on("post", "/identity/reset", good);
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
  await user.type(await screen.findByLabelText("New password"), "123456{Enter}");
  expect(await screen.findByText("Password is too long")).toBeVisible();
  expect(screen.getByLabelText("New password")).toBeInvalid();
});

const noSuchLink = errorResponse(422, "Wrong", { token: "The link is not complete" });

test.each([
  [`/reset${LINK}`, expired],
  ["/reset#token=", noSuchLink],
  ["/reset#token=u-karim", expired],
  ["/reset#token=u-karim.cut", expired],
  ["/reset", expired],
])("a link that can't be used says so before the form opens: %s", async (at, answer) => {
  on("post", "/identity/reset", answer);
  renderScreen(<ResetPassword />, { at });
  expect(await screen.findByText("This link has been used or has expired.")).toBeVisible();
  expect(screen.queryByLabelText("New password")).toBeNull();
  expect(screen.getByRole("link", { name: "Send a new link" })).toHaveAttribute("href", "/forgot");
});

test.each([422, 429, 500, 503])(
  "the form opens if the link is good or can't be asked for, and is closed if it was used meanwhile: %i",
  async (status) => {
    on(
      "post",
      "/identity/reset",
      errorResponse(status, "Wrong", status === 422 ? { password: "Required" } : undefined),
    );
    const { user } = renderScreen(<ResetPassword />, { at: `/reset${LINK}` });
    const field = await screen.findByLabelText("New password");
    on("post", "/identity/reset", expired);
    await user.type(field, "correct horse{Enter}");
    expect(await screen.findByText("This link has been used or has expired.")).toBeVisible();
  },
);

test("a new password is confirmed also if the session ends before the response", async () => {
  onSignedInUser(karim, "buyer");
  on("post", "/identity/reset", good);
  const { user, store } = renderApp(`/reset${LINK}`);
  expect(await screen.findByRole("button", { name: "SignOut" })).toBeVisible();
  on("post", "/identity/reset", () => {
    store.dispatch(
      sessionEnded({ by: "server", reason: "You were signed out because your password was changed." }),
    );
    return { status: 204 };
  });
  await user.type(await screen.findByLabelText("New password"), "correct horse{Enter}");
  expect(await screen.findByText("Your password has been changed. Please log in.")).toBeVisible();
});
