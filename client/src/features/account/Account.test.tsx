import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { selectAccessToken, selectEndReason, selectMe, sessionEnded } from "@/api/sessionSlice";
import type { PersonData } from "@/api/types";
import { aBooking, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onConfig, onRole, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import Account from "./Account";

startServer();

function personalData(hasPassword = true): PersonData {
  const account = {
    uid: karim.uid,
    email: karim.email,
    displayName: karim.displayName,
    photoURL: "",
    hasPassword,
    emailVerified: true,
    devices: 1,
    secondFactor: false,
    createdAt: "2026-05-01T04:00:00Z",
  };
  const bookings = [aBooking(), aBooking()];
  return {
    account,
    sessions: [],
    phones: [],
    bookings,
    photographs: [],
    waitlist: [],
    watches: [],
    searches: [],
    threads: [],
    offers: [],
    notifications: [],
    emails: [],
    payments: [],
    earnings: { earned: 0, waiting: 0, handover: 0, due: 0, paidOut: 0, lines: [] },
    reports: [],
    caseReports: [],
    decisions: [],
    auditLog: [],
  };
}

function renderAccount(
  role: "buyer" | "admin" = "buyer",
  hasPassword = true,
  data = personalData(hasPassword),
) {
  on("get", "/identity/data", { body: data });
  on("get", "/identity/sessions", { body: [] });
  onConfig();
  onRole(karim.email, role);
  return renderScreen(<Account />, { me: karim });
}

it("the account screen shows the remembered address, and forgets it", async () => {
  const data = personalData();
  const address = { name: "Karim", street: "12 Lake Road", postcode: "1209", town: "Dhaka" };
  const { user } = renderAccount("buyer", true, { ...data, account: { ...data.account, address } });
  expect(await screen.findByText(/12 Lake Road/)).toBeVisible();
  on("patch", "/identity/me", { body: karim });
  on("get", "/identity/data", { body: data });
  await user.click(screen.getByRole("button", { name: "Forget this address" }));
  expect(await screen.findByText("The address is forgotten")).toBeVisible();
  expect(callsTo("PATCH", "/identity/me")).toMatchObject([{ body: { forgetAddress: true } }]);
  await waitFor(() => expect(screen.queryByText(/12 Lake Road/)).toBeNull());
});

it("the account screen changes the name, and the number and place that forms begin with", async () => {
  const { user, store } = renderAccount();
  const name = await screen.findByLabelText("Name");
  expect(name).toHaveValue(karim.displayName);
  on(
    "patch",
    "/identity/me",
    errorResponse(422, "The name is too long", { displayName: "The name is too long" }),
  );
  await user.type(screen.getByLabelText("Phone number"), "01711 000000");
  await user.type(screen.getByLabelText("Location"), " Gulshan ");
  await user.type(name, "!");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The name is too long")).toBeVisible();
  on("patch", "/identity/me", { body: { ...karim, displayName: "Karim" } });
  await user.clear(name);
  await user.type(name, "Karim");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Your details are saved")).toBeVisible();
  expect(callsTo("PATCH", "/identity/me")[1]?.body).toEqual({
    displayName: "Karim",
    phone: "01711 000000",
    location: "Gulshan",
  });
  expect(selectMe(store.getState())?.displayName).toBe("Karim");
});

it("the account screen chooses and removes the photo, and says why a file can be none", async () => {
  const { user, store, container } = renderAccount();
  const choose = await screen.findByRole("button", { name: "Choose a photo" });
  const input = container.querySelector("input[type=file]") as HTMLInputElement;
  await user.upload(input, new File([], "empty.png", { type: "image/png" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("This file is empty. Choose another one");
  on("post", "/images/account", { body: { success: true, data: { url: "/images/me.jpg" } } });
  on("patch", "/identity/me", { body: { ...karim, photoURL: "/images/me.jpg" } });
  await user.upload(input, new File(["me"], "me.png", { type: "image/png" }));
  expect(await screen.findByText("Your photo is saved")).toBeVisible();
  expect(selectMe(store.getState())?.photoURL).toBe("/images/me.jpg");
  expect(screen.queryByRole("alert")).toBeNull();
  on("patch", "/identity/me", { body: karim });
  await user.click(screen.getByRole("button", { name: "Remove photo" }));
  expect(await screen.findByText("Your photo is removed")).toBeVisible();
  expect(callsTo("PATCH", "/identity/me").map(({ body }) => body)).toEqual([
    { photoURL: "/images/me.jpg" },
    { photoURL: "" },
  ]);
  expect(choose).toHaveFocus();
});

it("the account screen shows the number of records and a download link", async () => {
  renderAccount();
  expect(await screen.findByRole("heading", { name: "Your data" })).toBeVisible();
  expect(screen.getByText(", since").parentElement).toHaveTextContent(`${karim.email}, since 1 May 2026`);
  expect(screen.getByText("Orders").nextSibling).toHaveTextContent("2");
  expect(await screen.findByText("Payments")).toBeVisible();
  expect(screen.queryByText("Phones")).toBeNull();
  const file = screen.getByRole("link", { name: "Download my data" });
  expect(file).toHaveAttribute("href", "/identity/data");
  expect(file).toHaveAttribute("download");
});

it("the account screen leads to the decisions about the person", async () => {
  renderAccount();
  expect(await screen.findByRole("link", { name: "Decisions about you" })).toHaveAttribute(
    "href",
    "/dashboard/decisions",
  );
});

it("the account screen shows an error with a retry button", async () => {
  onConfig();
  on("get", "/identity/data", errorResponse(503, "Please try again in a moment"));
  onRole(karim.email, "buyer");
  const { user } = renderScreen(<Account />, { me: karim });
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  on("get", "/identity/data", { body: personalData() });
  on("get", "/identity/sessions", { body: [] });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Your data")).toBeVisible();
});

describe("the deletion of the account", () => {
  it("requires the password and ends the session", async () => {
    on("post", "/identity/leave", { status: 204 });
    const { user, store } = renderAccount();
    await user.type(await screen.findByLabelText("Password"), "correct horse");
    await user.click(screen.getByRole("button", { name: "Delete my account" }));
    await expect.poll(() => selectAccessToken(store.getState() as never)).toBeNull();
    expect(selectEndReason(store.getState() as never)).toBe("Your account has been deleted.");
    expect(callsTo("POST", "/identity/leave").map(({ body }) => body)).toEqual([
      { password: "correct horse" },
    ]);
  });

  it("shows that the account was deleted, also if the session ends before the response", async () => {
    const { user, store } = renderAccount();
    on("post", "/identity/leave", () => {
      store.dispatch(sessionEnded({ by: "server", reason: "Your account has been deleted." }));
      return { status: 204 };
    });
    on("post", "/identity/sign-out", errorResponse(401, "Please log in first"));
    await user.type(await screen.findByLabelText("Password"), "correct horse");
    await user.click(screen.getByRole("button", { name: "Delete my account" }));
    await expect.poll(() => selectAccessToken(store.getState() as never)).toBeNull();
    await expect.poll(() => callsTo("POST", "/identity/leave")).toHaveLength(1);
    expect(selectEndReason(store.getState() as never)).toBe("Your account has been deleted.");
  });

  it("shows the error of the field below it", async () => {
    on("post", "/identity/leave", {
      status: 422,
      body: {
        message: "This is not your password",
        code: "invalid",
        fields: { password: "This is not your password" },
      },
    });
    const { user } = renderAccount();
    await user.type(await screen.findByLabelText("Password"), "a guess");
    await user.click(screen.getByRole("button", { name: "Delete my account" }));
    expect(await screen.findByText("This is not your password")).toBeVisible();
    expect(screen.getByLabelText("Password")).toBeInvalid();
  });

  it("shows the server's message about open orders and keeps the password", async () => {
    const message = "You have an order that was paid. You can delete your account from 7 December 2026.";
    on("post", "/identity/leave", { status: 409, body: { message, code: "open_orders" } });
    const { user } = renderAccount();
    await user.type(await screen.findByLabelText("Password"), "correct horse");
    await user.click(screen.getByRole("button", { name: "Delete my account" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(message);
    expect(screen.getByLabelText("Password")).toHaveValue("correct horse");
    expect(screen.getByLabelText("Password")).not.toBeInvalid();
  });

  it("requires the email for an account without a password", async () => {
    on("post", "/identity/leave", errorResponse(403, "Please log in again first"));
    const { user } = renderAccount("buyer", false);
    await user.type(await screen.findByLabelText("Email"), "karim@example.com");
    await user.click(screen.getByRole("button", { name: "Delete my account" }));
    expect(await screen.findByText("Please log in again first")).toBeVisible();
    expect(callsTo("POST", "/identity/leave").map(({ body }) => body)).toEqual([
      { confirm: "karim@example.com" },
    ]);
  });

  it("is not offered to admins, who see the reason", async () => {
    renderAccount("admin");
    expect(await screen.findByText(/^An admin account can't be deleted/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Delete my account" })).toBeNull();
  });
});
