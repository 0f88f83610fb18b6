import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { onPublicCalls, onSession, onSignedInUser, renderApp } from "@/testing/app";
import { karim } from "@/testing/factories";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import { FirstAdmin } from "./FirstAdmin";

startServer();

const TOKEN = "u-karim.secret_-1";

test("the first admin of a new market is created by a link", async () => {
  onSession(null);
  const { user, store } = renderScreen(<FirstAdmin />, { at: `/setup#token=${TOKEN}` });
  on("post", "/identity/first-admin", errorResponse(422, "Wrong", { password: "Password is required" }));
  await user.type(await screen.findByLabelText("Name"), "Karim");
  await user.type(screen.getByLabelText("Email"), karim.email);
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await user.click(screen.getByRole("button", { name: "Create admin" }));
  expect(await screen.findByText("Password is required")).toBeVisible();
  on("post", "/identity/first-admin", { status: 201, body: karim });
  onSignedInUser(karim, "admin");
  await user.click(screen.getByRole("button", { name: "Create admin" }));
  await waitFor(() => expect(store.getState().session.user?.email).toBe(karim.email));
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

test("a used link to the first admin's form shows that it has been used", async () => {
  onPublicCalls();
  onSession(null);
  renderApp("/setup");
  expect(
    await screen.findByText(/^This link has been used or has expired\. If there is no admin/),
  ).toBeVisible();
});

test.each(["", "u1", "u1.used", "expired", "unknown"])(
  "a used link is refused before the form opens: %s",
  async (token) => {
    on("post", "/identity/first-admin", { status: 410, body: { message: "Used", code: "gone" } });
    renderScreen(<FirstAdmin />, { at: `/setup#token=${token}` });
    expect(await screen.findByText(/^This link has been used or has expired/)).toBeVisible();
    expect(screen.queryByLabelText("Password")).toBeNull();
  },
);
