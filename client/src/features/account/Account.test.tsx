import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { loggedOut, selectAccessToken, selectEndReason } from "@/api/session";
import type { PersonData } from "@/api/types";
import { aBooking, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onRole, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import Account from "./Account";

startServer();

function kept(hasPassword = true): PersonData {
  const account = {
    uid: karim.uid,
    email: karim.email,
    displayName: karim.displayName,
    photoURL: "",
    hasPassword,
    createdAt: "2026-05-01T04:00:00Z",
  };
  const bookings = [aBooking(), aBooking()];
  return { account, sessions: [], phones: [], bookings, payments: [], reports: [], trail: [] };
}

function show(role: "buyer" | "admin" = "buyer", hasPassword = true) {
  on("get", "/identity/data", { body: kept(hasPassword) });
  onRole(karim.email, role);
  return renderScreen(<Account />, { me: karim });
}

it("says what is kept, and hands it over as a file", async () => {
  show();
  expect(await screen.findByRole("heading", { name: "Your data" })).toBeVisible();
  expect(screen.getByText(/since 1 May 2026/)).toHaveTextContent(karim.email);
  expect(screen.getByText("Orders").nextSibling).toHaveTextContent("2");
  const file = screen.getByRole("link", { name: "Download my data" });
  expect(file).toHaveAttribute("href", "/identity/data");
  expect(file).toHaveAttribute("download");
});

it("offers a retry when it does not come", async () => {
  on("get", "/identity/data", errorResponse(503, "Please try again in a moment"));
  onRole(karim.email, "buyer");
  const { user } = renderScreen(<Account />, { me: karim });
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  on("get", "/identity/data", { body: kept() });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Your data")).toBeVisible();
});

describe("leaving", () => {
  it("asks for the password, and ends the session", async () => {
    on("post", "/identity/leave", { status: 204 });
    on("post", "/identity/sign-out", errorResponse(401, "Please log in first")); // the session has ended already
    const { user, store } = show();
    await user.type(await screen.findByLabelText("Password"), "correct horse");
    await user.click(screen.getByRole("button", { name: "Delete my account" }));
    await expect.poll(() => selectAccessToken(store.getState() as never)).toBeNull();
    await expect.poll(() => callsTo("POST", "/identity/sign-out")).toHaveLength(1);
    expect(selectEndReason(store.getState() as never)).toBe("Your account has been deleted.");
    expect(callsTo("POST", "/identity/leave").map(({ body }) => body)).toEqual([
      { password: "correct horse" },
    ]);
  });

  it("says that the account has been deleted when the session ends before the answer", async () => {
    const { user, store } = show();
    on("post", "/identity/leave", () => {
      store.dispatch(loggedOut("Your account has been removed."));
      return { status: 204 };
    });
    on("post", "/identity/sign-out", errorResponse(401, "Please log in first"));
    await user.type(await screen.findByLabelText("Password"), "correct horse");
    await user.click(screen.getByRole("button", { name: "Delete my account" }));
    await expect.poll(() => selectAccessToken(store.getState() as never)).toBeNull();
    await expect.poll(() => callsTo("POST", "/identity/leave")).toHaveLength(1);
    expect(selectEndReason(store.getState() as never)).toBe("Your account has been deleted.");
  });

  it("says under the field what was wrong with it", async () => {
    on("post", "/identity/leave", {
      status: 422,
      body: {
        message: "Some fields need another look",
        code: "invalid",
        fields: { password: "This is not your password" },
      },
    });
    const { user } = show();
    await user.type(await screen.findByLabelText("Password"), "a guess");
    await user.click(screen.getByRole("button", { name: "Delete my account" }));
    expect(await screen.findByText("This is not your password")).toBeVisible();
    expect(screen.getByLabelText("Password")).toBeInvalid();
  });

  it("with an order that is not over yet says why and until when, and keeps what was typed", async () => {
    const message = "You have an order that was paid. You can delete your account from 7 December 2026.";
    on("post", "/identity/leave", { status: 409, body: { message, code: "open_orders" } });
    const { user } = show();
    await user.type(await screen.findByLabelText("Password"), "correct horse");
    await user.click(screen.getByRole("button", { name: "Delete my account" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(message);
    expect(screen.getByLabelText("Password")).toHaveValue("correct horse");
    expect(screen.getByLabelText("Password")).not.toBeInvalid();
  });

  it("asks for the address where there is no password", async () => {
    on("post", "/identity/leave", errorResponse(403, "Please log in again first"));
    const { user } = show("buyer", false);
    await user.type(await screen.findByLabelText("Email"), "karim@example.com");
    await user.click(screen.getByRole("button", { name: "Delete my account" }));
    expect(await screen.findByText("Please log in again first")).toBeVisible();
    expect(callsTo("POST", "/identity/leave").map(({ body }) => body)).toEqual([
      { confirm: "karim@example.com" },
    ]);
  });

  it("is not for admins, who are told why", async () => {
    show("admin");
    expect(await screen.findByText(/^An admin account can't be deleted/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Delete my account" })).toBeNull();
  });
});
