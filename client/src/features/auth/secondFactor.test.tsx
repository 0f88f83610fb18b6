import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { onPublicCalls, onSession, onSignedInUser, renderApp } from "@/testing/app";
import { karim } from "@/testing/factories";
import { errorResponse, on, startServer } from "@/testing/server";

startServer();

function renderForVisitor(path: string) {
  onPublicCalls();
  onSession(null);
  return renderApp(path);
}

test("a login with a second factor asks for the code after the password", async () => {
  const { user, store } = renderForVisitor("/login");
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
  await waitFor(() => expect(store.getState().session.user?.email).toBe(karim.email));
});

test("a Google sign-in with a second factor asks for the code", async () => {
  renderForVisitor("/login?code=1&returnTo=%2Fdashboard%2FmyOrders");
  expect(await screen.findByLabelText("Code")).toBeVisible();
});

test("an admin who needs a second factor is led to its setup", async () => {
  const { user } = renderForVisitor("/login");
  on("post", "/identity/sign-in", { body: karim });
  on("get", "/jwt", { status: 403, body: { message: "Switch yours on", code: "second_factor_required" } });
  await user.type(await screen.findByLabelText("Email"), karim.email);
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await user.click(screen.getByRole("button", { name: "Login" }));
  expect(await screen.findByText(/^Admins need two-step login/)).toBeVisible();
});
