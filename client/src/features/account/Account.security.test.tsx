import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { DeviceSession, SignedInUser } from "@/api/types";
import { karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onConfig, onRole, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import Account from "./Account";

startServer();

function aSession(overrides: Partial<DeviceSession>): DeviceSession {
  return {
    _id: "this",
    current: false,
    createdAt: "2026-11-20T04:00:00Z",
    seenAt: "2026-11-25T08:00:00Z",
    device: "Firefox on Windows",
    network: "203.0.113.7",
    ...overrides,
  };
}

const thisDevice = aSession({ current: true });
const iPhone = aSession({ _id: "iphone", device: "Safari on iOS" });
const unknownDevice = aSession({ _id: "unknown", device: "", network: "" });

interface Options {
  sessions?: DeviceSession[];
  hasPassword?: boolean;
  /** Google's ID of the user. */
  google?: string;
  me?: SignedInUser;
}

/** Renders the account screen; the returned list is that of the fake server. */
function renderAccount({ sessions = [thisDevice], hasPassword = true, google, me = karim }: Options = {}) {
  const { uid, email, displayName, photoURL, emailVerified } = me;
  const account = {
    uid,
    email,
    displayName,
    photoURL,
    emailVerified,
    hasPassword,
    devices: 1,
    secondFactor: false,
    ...(google && { googleSubject: google }),
  };
  on("get", "/identity/data", {
    body: {
      account: { ...account, createdAt: "2026-05-01T04:00:00Z" },
      sessions: [],
      phones: [],
      bookings: [],
      waitlist: [],
      payments: [],
      earnings: { earned: 0, waiting: 0, paidOut: 0, lines: [] },
      reports: [],
      auditLog: [],
    },
  });
  on("get", "/identity/sessions", () => ({ body: sessions.map((session) => ({ ...session })) }));
  onConfig({ mail: true });
  onRole(me.email, "buyer");
  return { sessions, ...renderScreen(<Account />, { me }) };
}

describe("the list of devices", () => {
  it("shows each device, and marks this one", async () => {
    renderAccount({ sessions: [thisDevice, iPhone, unknownDevice] });
    const [first, second, third] = (await screen.findByText("This device")).closest("ul")?.children ?? [];
    expect(first).toHaveTextContent(/Firefox on Windows.*This device.*20 November 2026, from 203.0.113.7/);
    expect(first).toHaveTextContent(/Last used 25 November 2026/);
    expect(within(first as HTMLElement).queryByRole("button")).toBeNull();
    expect(second).toHaveTextContent("Safari on iOS");
    expect(third).toHaveTextContent("Unknown device");
  });

  it("shows that there is no other device", async () => {
    renderAccount();
    expect(await screen.findByText("You are not signed in anywhere else.")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Sign out everywhere else" })).toBeNull();
  });

  it("signs another device out", async () => {
    const { user, sessions } = renderAccount({ sessions: [thisDevice, iPhone, unknownDevice] });
    on("delete", "/identity/sessions/iphone", () => {
      sessions.splice(1, 1);
      return { status: 204 };
    });
    await user.click(await screen.findByRole("button", { name: "Sign out Safari on iOS" }));
    expect(await screen.findByText("Safari on iOS has been signed out.")).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("button", { name: /Safari/ })).toBeNull());
    expect(screen.getByRole("button", { name: "Sign out Unknown device" })).toBeVisible();
  });

  it("keeps a device whose sign-out failed, and shows the reason", async () => {
    const { user } = renderAccount({ sessions: [thisDevice, iPhone] });
    on("delete", "/identity/sessions/iphone", errorResponse(503, "Please try again in a moment"));
    await user.click(await screen.findByRole("button", { name: "Sign out Safari on iOS" }));
    expect(await screen.findByText("Please try again in a moment")).toBeVisible();
    await waitFor(() => expect(screen.getByRole("button", { name: "Sign out Safari on iOS" })).toBeEnabled());
  });

  it("signs all other devices out", async () => {
    const { user, sessions } = renderAccount({ sessions: [thisDevice, iPhone, unknownDevice] });
    on("delete", "/identity/sessions", () => {
      sessions.splice(1);
      return { status: 204 };
    });
    await user.click(await screen.findByRole("button", { name: "Sign out everywhere else" }));
    expect(await screen.findByText("You are not signed in anywhere else.")).toBeVisible();
  });

  it("shows an error with a retry button", async () => {
    const { user } = renderAccount();
    on("get", "/identity/sessions", errorResponse(503, "Please try again in a moment"));
    expect(await screen.findByText("Please try again in a moment")).toBeVisible();
    on("get", "/identity/sessions", { body: [{ ...thisDevice }] });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("This device")).toBeVisible();
  });
});

describe("the linked Google account", () => {
  it("is unlinked with the password", async () => {
    const { user } = renderAccount({ google: "g1" });
    on("delete", "/identity/google", { status: 204 });
    await user.click(await screen.findByRole("button", { name: "Unlink Google" }));
    await user.type(screen.getByLabelText("Current password"), "secret1");
    await user.click(screen.getByRole("button", { name: "Unlink Google" }));
    expect(await screen.findByText("Google is not linked to your account any more.")).toBeVisible();
    expect(callsTo("DELETE", "/identity/google").map(({ body }) => body)).toEqual([{ password: "secret1" }]);
  });

  it("shows that the password is wrong", async () => {
    const { user } = renderAccount({ google: "g1" });
    on("delete", "/identity/google", errorResponse(422, "Wrong", { password: "This is not your password" }));
    await user.click(await screen.findByRole("button", { name: "Unlink Google" }));
    await user.type(screen.getByLabelText("Current password"), "guess");
    await user.click(screen.getByRole("button", { name: "Unlink Google" }));
    await screen.findByText("This is not your password");
    expect(screen.getByLabelText("Current password")).toHaveAccessibleDescription(
      "This is not your password",
    );
  });

  it("cannot be unlinked without a password", async () => {
    renderAccount({ google: "g1", hasPassword: false });
    expect(
      await screen.findByText("You log in with Google. Set a password first, if you want to unlink it."),
    ).toBeVisible();
    expect(screen.queryByRole("button", { name: "Unlink Google" })).toBeNull();
  });

  it("is not mentioned if there is none", async () => {
    renderAccount();
    await screen.findByRole("button", { name: "Change password" });
    expect(screen.queryByText("Google")).toBeNull();
  });
});

describe("the password", () => {
  it("is changed, which signs the other devices out", async () => {
    const { user, sessions } = renderAccount({ sessions: [thisDevice, iPhone] });
    on("post", "/identity/password", () => {
      sessions.splice(1);
      return { status: 204 };
    });
    await user.click(await screen.findByRole("button", { name: "Change password" }));
    await user.type(screen.getByLabelText("Current password"), "secret1");
    await user.type(screen.getByLabelText("New password"), "correct horse");
    expect(screen.getByLabelText("New password")).toHaveAccessibleDescription("Strong password");
    await user.click(screen.getByRole("button", { name: "Save password" }));
    expect(await screen.findByText("Your password has been changed.")).toBeVisible();
    expect(callsTo("POST", "/identity/password").map(({ body }) => body)).toEqual([
      { current: "secret1", new: "correct horse" },
    ]);
    expect(await screen.findByText("You are not signed in anywhere else.")).toBeVisible();
    expect(screen.queryByLabelText("New password")).toBeNull();
  });

  it("shows the server's errors at their fields", async () => {
    const { user } = renderAccount();
    on("post", "/identity/password", errorResponse(422, "Wrong", { current: "This is not your password" }));
    await user.click(await screen.findByRole("button", { name: "Change password" }));
    await user.type(screen.getByLabelText("Current password"), "a guess");
    await user.type(screen.getByLabelText("New password"), "correct horse{Enter}");
    expect(await screen.findByText("This is not your password")).toBeVisible();
    expect(screen.getByLabelText("Current password")).toBeInvalid();
  });

  it("is set without a current password if the account has none", async () => {
    const { user } = renderAccount({ hasPassword: false });
    on("post", "/identity/password", { status: 204 });
    await user.click(await screen.findByRole("button", { name: "Set a password" }));
    expect(screen.queryByLabelText("Current password")).toBeNull();
    await user.type(screen.getByLabelText("New password"), "correct horse{Enter}");
    expect(await screen.findByText("Your password has been set.")).toBeVisible();
    expect(callsTo("POST", "/identity/password").map(({ body }) => body)).toEqual([{ new: "correct horse" }]);
  });
});

describe("an email that is not confirmed", () => {
  it("has a notice with a button that sends the link again", async () => {
    const { user } = renderAccount({ me: { ...karim, emailVerified: false } });
    on("post", "/identity/verify/send", { status: 204 });
    await user.click(await screen.findByRole("button", { name: "Send the link again" }));
    expect(await screen.findByText(/^Please check your inbox at karim@example.com/)).toBeVisible();
  });

  it("has a notice with a link to the mailbox in the demo", async () => {
    renderAccount({ me: { ...karim, emailVerified: false } });
    onConfig({ mail: true, mailbox: "/sandbox/mail" });
    const link = await screen.findByRole("link", { name: "the email is shown here" });
    expect(link).toHaveAttribute("href", "/sandbox/mail?to=karim%40example.com");
  });

  it("has no notice after it was confirmed", async () => {
    renderAccount();
    expect(await screen.findByText("This device")).toBeVisible();
    expect(screen.queryByText("Email not confirmed")).toBeNull();
  });
});

describe("the change of the email", () => {
  async function openForm() {
    const view = renderAccount();
    await view.user.click(await screen.findByRole("button", { name: "Change email" }));
    await view.user.type(screen.getByLabelText("New email"), "new@example.com");
    return view;
  }

  it("sends a link to the new address with the password", async () => {
    const { user } = await openForm();
    on("post", "/identity/email", { status: 204 });
    await user.type(screen.getByLabelText("Current password"), "correct horse");
    await user.click(screen.getByRole("button", { name: "Send link" }));
    expect(await screen.findByText(/^We've sent a link to new@example.com/)).toBeVisible();
    expect(callsTo("POST", "/identity/email").map(({ body }) => body)).toEqual([
      { email: "new@example.com", password: "correct horse" },
    ]);
  });

  it("shows the server's errors, and keeps the typed values", async () => {
    const { user } = await openForm();
    on("post", "/identity/email", errorResponse(422, "Wrong", { password: "This is not your password" }));
    await user.type(screen.getByLabelText("Current password"), "a guess");
    await user.click(screen.getByRole("button", { name: "Send link" }));
    expect(await screen.findByText("This is not your password")).toBeVisible();
    expect(screen.getByLabelText("New email")).toHaveValue("new@example.com");
    on("post", "/identity/email", errorResponse(409, "Email is already in use"));
    await user.click(screen.getByRole("button", { name: "Send link" }));
    expect(await screen.findByText("Email is already in use")).toBeVisible();
  });
});

describe("the two-step login", () => {
  const factor = { secret: "JBSWY3DPEHPK3PXP", url: "otpauth://totp/x", qr: "data:image/png;base64,AA==" };

  it("is set up with the password and a code of the app, and shows recovery codes", async () => {
    const { user } = renderAccount();
    on("post", "/identity/second-factor/start", { body: factor });
    on(
      "post",
      "/identity/second-factor/confirm",
      errorResponse(422, "Wrong", { code: "This code is not right" }),
    );
    await user.click(await screen.findByRole("button", { name: "Set up two-step login" }));
    await user.type(screen.getByLabelText("Current password"), "correct horse");
    await user.click(screen.getByRole("button", { name: "Continue" }));
    expect(await screen.findByRole("img", { name: /^QR code/ })).toHaveAttribute("src", factor.qr);
    expect(screen.getByText(factor.secret)).toBeVisible();
    await user.type(screen.getByLabelText("Code"), "000000");
    await user.click(screen.getByRole("button", { name: "Switch on" }));
    expect(await screen.findByText("This code is not right")).toBeVisible();
    on("post", "/identity/second-factor/confirm", { body: { recoveryCodes: ["AAAA-BBBB-CCCC-DDDD"] } });
    await user.click(screen.getByRole("button", { name: "Switch on" }));
    expect(await screen.findByText("AAAA-BBBB-CCCC-DDDD")).toBeVisible();
    expect(callsTo("POST", "/identity/second-factor/start").map(({ body }) => body)).toEqual([
      { password: "correct horse" },
    ]);
    await user.click(screen.getByRole("button", { name: "I've saved them" }));
    expect(await screen.findByRole("button", { name: "Set up two-step login" })).toBeVisible();
  });
});
