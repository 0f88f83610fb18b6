import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, it } from "vitest";
import type { CaseDetail } from "@/api/types";
import { aCaseDecision, aCaseDetail, aCaseReport } from "@/testing/cases";
import { anEvent, karim, newId } from "@/testing/factories";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import Case from "./Case";

startServer();

const DONE = { body: { acknowledged: true, modifiedCount: 1 } };
const WORDS = "This phone is not yours to sell.";
const ADMIN = { "Live-Position": "admin=e1-1" };

const renderPage = (id: string) =>
  renderScreen(
    <Routes>
      <Route path="dashboard/cases/:id" element={<Case />} />
    </Routes>,
    { me: karim, at: `/dashboard/cases/${id}` },
  );

/** Sets the response for the case. */
const onCase = (one: CaseDetail) =>
  on("get", `/cases/${one._id}`, { body: JSON.parse(JSON.stringify(one)), headers: ADMIN });

/** Renders the page of a case; the kept texts are these. */
async function renderCase(overrides: Partial<CaseDetail> = {}, texts: string[] = []) {
  const one = aCaseDetail(overrides);
  onCase(one);
  on("get", "/texts", { body: { texts, version: 1 } });
  const view = renderPage(one._id);
  await screen.findByRole("heading", { level: 2, name: one.target.name });
  return { ...view, one, path: `/cases/${one._id}` };
}

type View = Awaited<ReturnType<typeof renderCase>>;

const region = (name: string) => within(screen.getByRole("region", { name }));
const choose = (user: View["user"], name: string | RegExp) => user.click(screen.getByRole("radio", { name }));
const decide = (user: View["user"]) => user.click(screen.getByRole("button", { name: "Decide" }));
const sentTo = (path: string) => callsTo("PUT", path).map(({ body }) => body);

it("shows what was reported, as it was then, and who has reported it", async () => {
  const earlier = newId();
  const { one } = await renderCase({
    reports: [aCaseReport({ young: true }), aCaseReport({ rule: "insult", reason: "Rude", by: "" })],
    reportCount: 30,
    earlier: [
      {
        _id: earlier,
        kind: "product",
        name: "Nokia",
        state: "closed",
        decision: "warn",
        openedAt: "2026-10-01T10:00:00Z",
      },
    ],
  });
  const copy = region("What was reported");
  for (const text of ["Apple", "$180", "Good", "64 GB", "Battery at 91 %", "Verified"])
    expect(copy.getByText(text)).toBeVisible();
  expect(copy.getAllByRole("img").map((image) => image.getAttribute("src"))).toEqual([
    "/images/iphone-6.webp",
    "/images/back.webp",
  ]);
  const [young, rude] = region("30 reports").getAllByRole("listitem");
  expect(young).toHaveTextContent(
    /Stolen.*Account younger than a day.*It is my phone.*Karim Uddin, 20 Nov 2026/,
  );
  expect(rude).toHaveTextContent(/Insult or threat.*Rude.*Somebody who has left/);
  expect(rude).not.toHaveTextContent("younger");
  expect(region("30 reports").getByText("and 28 more")).toBeVisible();
  for (const [name, to] of [
    ["See Salma Rahman", `/dashboard/person/${one.target.personID}`],
    ["See the phone", `/phone/${one.target._id}`],
    ["Phone: Nokia", `/dashboard/cases/${earlier}`],
  ] as const)
    expect(screen.getByRole("link", { name })).toHaveAttribute("href", to);
  expect(region("Other cases about this person").getByText("Warn · 1 Oct 2026")).toBeVisible();
});

it("shows the reported messages of a conversation", async () => {
  const line = { at: "2026-11-20T10:00:00Z", by: "Karim", byReporter: true, reported: false };
  await renderCase({
    kind: "thread",
    copy: {
      quotes: [
        { ...line, text: "Can we meet?" },
        { at: "2026-11-20T10:01:00Z", by: "Salma", byReporter: false, reported: true, text: "Send it first" },
      ],
    },
  });
  const quotes = screen.getByRole("list", { name: "From the conversation" });
  expect(quotes).toHaveTextContent("Karim: Can we meet?Salma (reported): Send it first");
  expect(screen.queryByRole("radio", { name: /^Remove/ })).toBeNull();
});

it("says that the phone is gone, and that the copy is deleted", async () => {
  await renderCase({ exists: false, copy: undefined, reports: [], state: "closed" });
  expect(screen.getByText("The phone is not on the market now")).toBeVisible();
  expect(screen.queryByRole("link", { name: "See the phone" })).toBeNull();
  expect(screen.getByText(/What was reported is deleted/)).toBeVisible();
});

it("needs a decision, a rule and twenty characters", async () => {
  const { user, path } = await renderCase();
  await decide(user);
  expect(screen.getByText("Please choose what to decide")).toBeVisible();
  await choose(user, /^Suspend/);
  await user.type(screen.getByLabelText("Your words to them"), "Too short");
  expect(screen.getByText("9 of at least 20 characters")).toBeVisible();
  await decide(user);
  expect(screen.getByText("Please choose a rule")).toBeVisible();
  expect(screen.getByText("Please write at least 20 characters")).toBeVisible();
  expect(screen.getByText("Please choose what to decide")).toBeVisible();
  expect(sentTo(path)).toEqual([]);
});

it("shows what the person will read before it is sent", async () => {
  const { user, path } = await renderCase();
  await choose(user, /^Remove the phone/);
  const preview = region("This is what they will read");
  expect(preview.queryByText(/removed/)).toBeNull();
  await choose(user, "Stolen");
  await user.type(screen.getByLabelText("Your words to them"), WORDS);
  for (const text of [
    "We have removed your iPhone 6. Nobody but you and our admins can see it.",
    "The rule: Stolen phones are not sold here.",
    WORDS,
    "A person has decided this, not a program.",
  ])
    expect(preview.getByText(text)).toBeVisible();
  on("put", path, DONE);
  await decide(user);
  expect(await screen.findByText("Decided", { selector: "[role=status] *" })).toBeVisible();
  expect(sentTo(path)).toEqual([{ version: 1, decision: "remove", rule: "stolen", words: WORDS }]);
  expect(screen.getByRole("button", { name: "Decide" })).toBeDisabled();
  expect(sessionStorage.getItem("caseDrafts")).toBeNull();
});

it("suspends for some days", async () => {
  const { user, path } = await renderCase({ kind: "person" });
  await choose(user, /^Suspend/);
  await choose(user, "7 days");
  await choose(user, "Advertising");
  await user.type(screen.getByLabelText("Your words to them"), WORDS);
  expect(
    region("This is what they will read").getByText(/^You cannot list, buy or write until/),
  ).toBeVisible();
  on("put", path, DONE);
  await decide(user);
  await waitFor(() =>
    expect(sentTo(path)).toEqual([{ version: 1, decision: "suspend", rule: "spam", words: WORDS, days: 7 }]),
  );
});

it("takes a kept text as the words", async () => {
  const { user } = await renderCase({}, [WORDS]);
  await choose(user, /^Warn/);
  await user.click(await screen.findByRole("button", { name: WORDS }));
  expect(screen.getByLabelText("Your words to them")).toHaveValue(WORDS);
});

it("keeps what was reported, and says that the reports were unfounded", async () => {
  const { user, path } = await renderCase();
  await choose(user, /^Nothing changes/);
  expect(screen.queryByLabelText("Your words to them")).toBeNull();
  await user.click(screen.getByRole("checkbox", { name: /^The reports were unfounded/ }));
  on("put", path, DONE);
  await decide(user);
  await waitFor(() => expect(sentTo(path)).toEqual([{ version: 1, decision: "keep", unfounded: true }]));
});

it("tells nobody about a picture", async () => {
  const { user } = await renderCase({
    kind: "picture",
    target: { _id: "a.webp", name: "a.webp", img: "/images/a.webp" },
  });
  expect(screen.getAllByRole("radio")).toHaveLength(2);
  await choose(user, /^Remove the picture/);
  expect(screen.getByText(/^Nobody is told/)).toBeVisible();
  expect(screen.queryByText("Other cases about this person")).toBeNull();
});

it("shows the new state after a conflict, and keeps what was typed", async () => {
  const { user, one, path } = await renderCase();
  await choose(user, /^Warn/);
  await choose(user, "Stolen");
  await user.type(screen.getByLabelText("Your words to them"), WORDS);
  const message = "This case has changed since you opened it. Please look at it again";
  on("put", path, { status: 409, body: { message, code: "conflict" } });
  onCase({
    ...one,
    version: 2,
    reports: [...one.reports, aCaseReport({ reason: "Mine, too" })],
    reportCount: 2,
  });
  await decide(user);
  expect(await screen.findByText(message)).toBeVisible();
  expect(await screen.findByText("Mine, too")).toBeVisible();
  expect(screen.getByLabelText("Your words to them")).toHaveValue(WORDS);
  on("put", path, DONE);
  await decide(user);
  await waitFor(() => expect(sentTo(path).at(-1)).toMatchObject({ version: 2, words: WORDS }));
  await waitFor(() => expect(screen.queryByText(message)).toBeNull());
});

it("shows the decision of another admin", async () => {
  const { user, one, path } = await renderCase();
  await choose(user, /^Nothing changes/);
  on("put", path, { status: 409, body: { message: "This case is decided already", code: "decided" } });
  onCase({ ...one, version: 2, state: "decided", decision: aCaseDecision() });
  await decide(user);
  expect(await screen.findByText("This case is decided already")).toBeVisible();
  const decision = within(await screen.findByRole("region", { name: "The decision" }));
  expect(decision.getByText("Remove the phone")).toBeVisible();
  expect(decision.getByText(/^Rita, 21 Nov 2026/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Decide" })).toBeNull();
});

it("keeps what was typed in this tab", async () => {
  const { user, one, unmount } = await renderCase();
  await choose(user, /^Warn/);
  await user.type(screen.getByLabelText("Your words to them"), WORDS);
  unmount();
  renderPage(one._id);
  expect(await screen.findByLabelText("Your words to them")).toHaveValue(WORDS);
  expect(screen.getByRole("radio", { name: /^Warn/ })).toBeChecked();
});

it("shows an event, with what was reported", async () => {
  const { store, one } = await renderCase();
  const { copy: _copy, exists: _exists, earlier: _earlier, ...view } = one;
  const decided = { ...view, version: 2, state: "decided" as const, decision: aCaseDecision() };
  receiveEvents(store, anEvent("admin", "case.changed", decided));
  expect(region("The decision").getByText("The rule: Stolen phones are not sold here.")).toBeVisible();
  expect(region("What was reported").getByText("Battery at 91 %")).toBeVisible();
});

const appealed = (): Partial<CaseDetail> => ({
  state: "appealed",
  decision: aCaseDecision(),
  appeal: { text: "I have the receipt", at: "2026-11-22T10:00:00Z", state: "open" },
});

it("takes a decision back after an appeal", async () => {
  const { user, path } = await renderCase(appealed());
  const appeal = region("The appeal");
  expect(appeal.getByText("I have the receipt")).toBeVisible();
  await decide(user);
  expect(appeal.getByText("Please choose one")).toBeVisible();
  expect(appeal.getByText("Please write at least 20 characters")).toBeVisible();
  await choose(user, /^Take back/);
  await user.type(appeal.getByLabelText("Your words to them"), "The receipt proves that it is yours.");
  on("put", `${path}/appeal`, DONE);
  await decide(user);
  expect(await screen.findByText("Answered")).toBeVisible();
  expect(sentTo(`${path}/appeal`)).toEqual([
    { version: 1, outcome: "reversed", words: "The receipt proves that it is yours." },
  ]);
});

it("says that another admin has to answer the appeal", async () => {
  const { user, path } = await renderCase(appealed());
  await choose(user, /^Uphold/);
  await user.type(screen.getByLabelText("Your words to them"), WORDS);
  const message = "You made this decision. Another admin has to look at it again";
  on("put", `${path}/appeal`, errorResponse(403, message));
  await decide(user);
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByLabelText("Your words to them")).toHaveValue(WORDS);
});

it("shows an appeal that is answered", async () => {
  const answered = appealed();
  await renderCase({
    ...answered,
    state: "closed",
    appeal: { ...answered.appeal!, state: "upheld", words: "The receipt is another one.", by: "Nadia" },
  });
  const appeal = region("The appeal");
  for (const text of ["The decision was upheld", "The receipt is another one.", "Nadia"])
    expect(appeal.getByText(text)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Decide" })).toBeNull();
});

it.each([
  [403, "This is about you. Another admin has to decide it"],
  [503, "Please try again in a moment"],
])("shows the server's message with status %i, and a retry button", async (status, message) => {
  const one = aCaseDetail();
  on("get", `/cases/${one._id}`, errorResponse(status, message));
  const { user } = renderPage(one._id);
  expect(await screen.findByText(message)).toBeVisible();
  onCase(one);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { name: "iPhone 6" })).toBeVisible();
});

it("says that there is no such case", async () => {
  on("get", "/cases/unknown", errorResponse(404, "Not found"));
  renderPage("unknown");
  expect(await screen.findByText("There is no such case")).toBeVisible();
});
