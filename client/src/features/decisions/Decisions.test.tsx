import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Decision } from "@/api/types";
import { aDecision } from "@/testing/cases";
import { anEvent, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import Decisions from "./Decisions";

startServer();

const DONE = { body: { acknowledged: true, modifiedCount: 1 } };

/** Renders the screen with these decisions. */
function renderDecisions(...decisions: Decision[]) {
  return { decisions: onList("/decisions", "me", decisions), ...renderScreen(<Decisions />, { me: karim }) };
}

const findRows = async () =>
  within(await screen.findByRole("list", { name: "Decisions" })).getAllByRole("listitem");

/** Opens the dialog of the only decision. */
async function openDialog(decision: Decision) {
  const view = renderDecisions(decision);
  await view.user.click(await screen.findByRole("button", { name: "Ask us to look again" }));
  const dialog = within(screen.getByRole("dialog", { name: "Ask us to look again" }));
  return { ...view, dialog, send: dialog.getByRole("button", { name: "Send" }) };
}

it("says what was decided and when, by which rule, in whose words, and until when one can appeal", async () => {
  renderDecisions(
    aDecision(),
    aDecision({
      decision: "suspend",
      rule: "spam",
      until: "2026-12-03T10:00:00Z",
      target: { kind: "person", _id: "p", name: "Karim" },
    }),
    aDecision({ decision: "close" }),
    aDecision({ decision: "warn" }),
  );
  const texts = (await findRows()).map(({ textContent }) => textContent);
  expect(texts).toEqual([
    expect.stringContaining("This is a warning about iPhone 6. Nothing else changes."),
    expect.stringContaining("We have closed your account."),
    expect.stringContaining("You cannot list, buy or write until 3 December 2026"),
    expect.stringContaining("We have removed your iPhone 6."),
  ]);
  for (const text of [
    "Decided on 21 November 2026",
    "The rule: Stolen phones are not sold here.",
    "This phone was reported to the police.",
    "A person has decided this, not a program.",
    "You can ask until 20 May 2099.",
  ])
    expect(texts[3]).toContain(text);
  expect(texts[2]).toContain("The rule: Nobody advertises or writes the same to many.");
});

it("asks to look again, once, with what was typed", async () => {
  const decision = aDecision();
  const { user, dialog, send, store } = await openDialog(decision);
  await user.click(send);
  expect(await dialog.findByText("Please tell us why")).toBeVisible();
  on("post", `/decisions/${decision._id}/appeal`, DONE);
  await user.type(dialog.getByLabelText("Why should we look again?"), " I have the receipt ");
  await user.click(send);
  expect(await screen.findByText("Thank you. Somebody will look at it again.")).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(callsTo("POST", `/decisions/${decision._id}/appeal`).map(({ body }) => body)).toEqual([
    { text: "I have the receipt" },
  ]);
  const appeal = { text: "I have the receipt", state: "open" as const };
  const appealed: Decision = { ...decision, version: 2, appeal };
  receiveEvents(store, anEvent("me", "decision.changed", appealed));
  expect(screen.getByText("Somebody will look at it again.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Ask us to look again" })).toBeNull();
});

it("shows the server's message in the dialog, and keeps what was typed", async () => {
  const decision = aDecision();
  const { user, dialog, send } = await openDialog(decision);
  on("post", `/decisions/${decision._id}/appeal`, errorResponse(409, "You can ask us to look again once"));
  await user.type(dialog.getByLabelText("Why should we look again?"), "Please");
  await user.click(send);
  expect(await dialog.findByText("You can ask us to look again once")).toBeVisible();
  expect(dialog.getByLabelText("Why should we look again?")).toHaveValue("Please");
});

it.each([
  ["upheld", "We have looked again. The decision stays."],
  ["reversed", "We have looked again, and taken the decision back."],
] as const)("shows an appeal that is %s, in the words of the admin", async (state, text) => {
  renderDecisions(
    aDecision({ appeal: { text: "I have the receipt", state, words: "The receipt is another one." } }),
  );
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByText("The receipt is another one.")).toBeVisible();
  expect(screen.getByText("I have the receipt")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Ask us to look again" })).toBeNull();
});

it("says that the time for an appeal is over", async () => {
  renderDecisions(aDecision({ appealBy: "2026-01-01T10:00:00Z" }));
  expect(await screen.findByText("The time to ask us to look again is over.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Ask us to look again" })).toBeNull();
});

it("says that there are none, and an event adds one", async () => {
  const { store } = renderDecisions();
  expect(await screen.findByText("There are no decisions about you")).toBeVisible();
  receiveEvents(store, anEvent("me", "decision.changed", aDecision()));
  expect(await findRows()).toHaveLength(1);
});

it("shows an error with a retry button", async () => {
  on("get", "/decisions", errorResponse(503, "Please try again in a moment"));
  const { user } = renderScreen(<Decisions />, { me: karim });
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  onList("/decisions", "me", [aDecision()]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await findRows()).toHaveLength(1);
});
