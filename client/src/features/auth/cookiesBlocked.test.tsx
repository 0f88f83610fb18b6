import { screen } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { onPublicCalls, onSession } from "@/testing/app";
import { karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onConfig, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import { CodeForm } from "./CodeForm";
import { FirstAdmin } from "./FirstAdmin";
import { LinkGoogle } from "./LinkGoogle";
import { ResetPassword } from "./ResetPassword";
import { SignIn } from "./SignIn";
import { SignUp } from "./SignUp";

startServer();

const origin = { from: "/" };
const LINK = "#token=u-karim.secret_-1";

/** How browsers and extensions block cookies. */
const BLOCKS: [string, () => void][] = [
  ["the browser says so", () => void vi.spyOn(navigator, "cookieEnabled", "get").mockReturnValue(false)],
  ["a written cookie is not kept", () => void vi.spyOn(document, "cookie", "get").mockReturnValue("")],
  [
    "a write throws an exception",
    () =>
      void vi.spyOn(document, "cookie", "set").mockImplementation(() => {
        throw new DOMException("The document is sandboxed", "SecurityError");
      }),
  ],
];

/** Every form that begins a session, its button and its call. */
const FORMS: [name: string, form: React.ReactElement, at: string, button: string, call: string][] = [
  ["the login", <SignIn key="in" origin={origin} purpose={null} />, "/login", "Login", "/identity/sign-in"],
  [
    "the sign-up",
    <SignUp key="up" origin={origin} purpose={null} suggestedType="User" />,
    "/signUp",
    "Sign Up",
    "/identity/sign-up",
  ],
  [
    "the code",
    <CodeForm key="c" returnTo="/" onBack={() => undefined} />,
    "/login",
    "Login",
    "/identity/second-factor",
  ],
  ["the link to Google", <LinkGoogle key="g" />, "/login", "Confirm and link", "/identity/google/link"],
  ["a new password", <ResetPassword key="r" />, `/reset${LINK}`, "Save password", "/identity/reset"],
  ["the first admin", <FirstAdmin key="a" />, `/setup${LINK}`, "Create admin", "/identity/first-admin"],
];

const VALUES = {
  Name: "Karim",
  Email: karim.email,
  Password: "secret1",
  "New password": "secret1",
  Code: "123456",
};

function renderForm(form: React.ReactElement, at: string) {
  onPublicCalls();
  onSession(null);
  for (const path of ["/identity/reset", "/identity/first-admin"]) {
    on("post", path, errorResponse(422, "Wrong", { password: "Password is required" }));
  }
  return renderScreen(form, { at });
}

async function send({ user }: ReturnType<typeof renderForm>, button: string) {
  for (const [label, value] of Object.entries(VALUES)) {
    const field = screen.queryByLabelText(label);
    if (field) await user.type(field, value);
  }
  await user.click(screen.getByRole("button", { name: button }));
}

const alert = () => screen.getByRole("alert");

/** The calls that would begin a session. The screens of a link first ask with the token alone whether it is good. */
const sent = (path: string) =>
  callsTo("POST", path).filter(({ body }) => Object.keys(body as object).join() !== "token");

describe.each(BLOCKS)("cookies are blocked: %s", (_, block) => {
  beforeEach(block);

  test.each(FORMS)("%s says so at once, and sends nothing", async (_name, form, at, button, call) => {
    const view = renderForm(form, at);
    expect(await screen.findByRole("alert")).toHaveTextContent(/blocks cookies.*Allow cookies for this site/);
    await send(view, button);
    expect(alert()).toHaveTextContent(/blocks cookies/);
    expect(sent(call)).toHaveLength(0);
  });
});

test("Google is not asked while cookies are blocked", async () => {
  const cookieEnabled = vi.spyOn(navigator, "cookieEnabled", "get");
  onConfig({ google: true });
  const { user } = renderForm(<SignUp origin={origin} purpose={null} suggestedType="" />, "/signUp");
  onConfig({ google: true });
  const google = await screen.findByRole("link", { name: "Continue with Google" });
  cookieEnabled.mockReturnValue(false);
  const leave = vi.fn((event: Event) => event.defaultPrevented);
  document.addEventListener("click", leave, { once: true });
  await user.click(google);
  expect(leave).toHaveReturnedWith(true);
  expect(alert()).toHaveTextContent(/blocks cookies/);
});

test("a form is sent once cookies are allowed", async () => {
  const cookieEnabled = vi.spyOn(navigator, "cookieEnabled", "get").mockReturnValue(false);
  const view = renderForm(<SignIn origin={origin} purpose={null} />, "/login");
  on("post", "/identity/sign-in", { status: 401, body: { message: "Wrong email or password", code: "x" } });
  cookieEnabled.mockReturnValue(true);
  await send(view, "Login");
  expect(await screen.findByText("Wrong email or password")).toBeVisible();
  expect(document.cookie).toBe("");
});
