import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { onPublicCalls, onSession, onSignedInUser, renderApp } from "@/testing/app";
import { aDecision } from "@/testing/cases";
import { karim } from "@/testing/factories";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";

startServer();

const TOKEN = "c-1.secret_-1";
const DONE = { body: { acknowledged: true, modifiedCount: 1 } };

function renderForVisitor(path: string) {
  onPublicCalls();
  onSession(null);
  return renderApp(path);
}

test("a visitor asks by the link of a letter to look again at a decision", async () => {
  const { user } = renderForVisitor(`/appeal#token=${TOKEN}`);
  const send = await screen.findByRole("button", { name: "Send" });
  expect(screen.getByText(/^You can ask us once to look at our decision again/)).toBeVisible();
  await user.click(send);
  expect(await screen.findByText("Please tell us why")).toBeVisible();
  expect(callsTo("POST", "/decisions/appeal")).toHaveLength(0);
  on("post", "/decisions/appeal", errorResponse(503, "Please try again in a moment"));
  await user.type(screen.getByLabelText("Why should we look again?"), " I have the receipt ");
  await user.click(send);
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  on("post", "/decisions/appeal", DONE);
  await user.click(send);
  expect(await screen.findByText("Thank you. Somebody will look at it again.")).toBeVisible();
  expect(callsTo("POST", "/decisions/appeal").at(-1)?.body).toEqual({
    token: TOKEN,
    text: "I have the receipt",
  });
});

test("a used link of a letter says so, and leads a signed-in person to their decisions", async () => {
  onSignedInUser(karim, "buyer");
  const { user } = renderApp(`/appeal#token=${TOKEN}`);
  on("post", "/decisions/appeal", { status: 410, body: { message: "Gone", code: "gone" } });
  await user.type(await screen.findByLabelText("Why should we look again?"), "Please");
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(await screen.findByText(/^This link does not work any more/)).toBeVisible();
  expect(screen.getByRole("link", { name: "See your decisions" })).toHaveAttribute(
    "href",
    "/dashboard/decisions",
  );
});

test("the address without a token has no form", async () => {
  renderForVisitor("/appeal");
  expect(await screen.findByText(/^This link does not work any more/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Send" })).toBeNull();
});

/** Logs in to an account that this decision has closed. */
async function logIn(decision = aDecision({ decision: "close" })) {
  const { user } = renderForVisitor("/login");
  const body = {
    message: "We have closed this account",
    code: "closed",
    decision: { ...decision },
    token: TOKEN,
  };
  on("post", "/identity/sign-in", { status: 403, body });
  await user.type(await screen.findByLabelText("Email"), karim.email);
  await user.type(screen.getByLabelText("Password"), "correct horse{Enter}");
  await screen.findByRole("heading", { name: "This account is closed" });
  return user;
}

test("the login to a closed account says why, and leads to the appeal", async () => {
  const user = await logIn();
  for (const text of [
    "We have closed your account. You cannot log in, and your phones are hidden.",
    "The rule: Stolen phones are not sold here.",
    "This phone was reported to the police.",
    "Decided on 21 November 2026",
  ])
    expect(screen.getByText(text)).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Ask us to look again" }));
  on("post", "/decisions/appeal", DONE);
  await user.type(await screen.findByLabelText("Why should we look again?"), "It was not me");
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(await screen.findByText("Thank you. Somebody will look at it again.")).toBeVisible();
  expect(callsTo("POST", "/decisions/appeal")[0]?.body).toEqual({ token: TOKEN, text: "It was not me" });
});

test("the login to a closed account shows an appeal that was made, and can be used for another account", async () => {
  const user = await logIn(
    aDecision({ decision: "close", appeal: { text: "It was not me", state: "open" } }),
  );
  expect(screen.getByText("Somebody will look at it again.")).toBeVisible();
  expect(screen.queryByRole("link", { name: "Ask us to look again" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Log in with another account" }));
  expect(await screen.findByLabelText("Email")).toBeVisible();
});
