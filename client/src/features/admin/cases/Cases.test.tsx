import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Case } from "@/api/types";
import { aCase, aCaseDecision, aCaseReport, onCases } from "@/testing/cases";
import { anEvent, karim } from "@/testing/factories";
import { errorResponse, on, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import Cases from "./Cases";

startServer();

function renderCases(...all: Case[]) {
  onCases(all);
  return renderScreen(<Cases />, { me: karim });
}

/** The texts of the rows of a table with at least one. */
async function findRows(): Promise<(string | null)[]> {
  await screen.findAllByRole("link", { name: /^Open the case/ });
  return screen
    .getAllByRole("row")
    .slice(1)
    .map(({ textContent }) => textContent);
}

const named = (name: string, overrides: Partial<Case> = {}) => {
  const one = aCase(overrides);
  return { ...one, target: { ...one.target, name } };
};
const anAppeal = (at: string) => ({ text: "I have the receipt", at, state: "open" as const });

it("has what is to decide, what waits longest first, with what and how often it was reported", async () => {
  const reports = [aCaseReport(), aCaseReport({ rule: "insult" }), aCaseReport()];
  const pixel = named("Pixel", { openedAt: "2026-11-18T10:00:00Z", reports, reportCount: 7 });
  const nokia = named("Nokia", {
    state: "appealed",
    decision: aCaseDecision(),
    appeal: anAppeal("2026-11-17T10:00:00Z"),
  });
  renderCases(
    named("Nexus", { openedAt: "2026-11-19T10:00:00Z" }),
    pixel,
    nokia,
    named("Old", { state: "decided" }),
  );
  const [first, second, third, none] = await findRows();
  expect(first).toContain("Nokia");
  expect(first).toContain("Asks to look again");
  expect(second).toContain("Pixel");
  expect(second).toContain("Phone of Salma Rahman");
  expect(second).toContain("7 reports");
  expect(second).toContain("Stolen and Insult or threat");
  expect(third).toContain("Nexus");
  expect(none).toBeUndefined();
  expect(screen.getByRole("link", { name: "Pixel" })).toHaveAttribute(
    "href",
    `/dashboard/cases/${pixel._id}`,
  );
});

it("marks a case whose reports are all of new accounts", async () => {
  const young = aCaseReport({ young: true });
  renderCases(
    named("Pixel", { reports: [young, young] }),
    named("Nexus", { reports: [young, aCaseReport()] }),
  );
  const [pixel, nexus] = await findRows();
  expect(pixel).toContain("New account");
  expect(nexus).not.toContain("New account");
});

it("shows decided and closed cases, and is updated by events", async () => {
  const open = named("Pixel");
  const { user, store } = renderCases(open, named("Nexus", { state: "closed", decision: aCaseDecision() }));
  await findRows();
  const decided = { ...open, version: 2, state: "decided" as const, decision: aCaseDecision() };
  receiveEvents(store, anEvent("admin", "case.changed", decided));
  expect(screen.getByText("No case waits for you")).toBeVisible();
  onCases([decided, named("Nexus", { state: "closed", decision: aCaseDecision() })]);
  await user.selectOptions(screen.getByLabelText("Show"), "Decided");
  expect(await findRows()).toEqual([expect.stringContaining("Pixel")]);
  await user.selectOptions(screen.getByLabelText("Show"), "Closed");
  expect(await screen.findByRole("link", { name: "Nexus" })).toBeVisible();
  expect(screen.queryByRole("link", { name: "Pixel" })).toBeNull();
});

it("says that no case waits", async () => {
  renderCases();
  expect(await screen.findByText("No case waits for you")).toBeVisible();
});

it("shows an error with a retry button", async () => {
  on("get", "/cases", errorResponse(503, "Please try again in a moment"));
  const { user } = renderScreen(<Cases />, { me: karim });
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  onCases([aCase(), aCase({ state: "appealed" })]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await findRows()).toHaveLength(2);
});
