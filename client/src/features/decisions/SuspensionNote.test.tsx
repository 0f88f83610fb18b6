import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Decision } from "@/api/types";
import { onSignedInUser, renderApp } from "@/testing/app";
import { aDecision } from "@/testing/cases";
import { anEvent, karim } from "@/testing/factories";
import { callsTo, onList, startServer } from "@/testing/server";
import { receiveEvents } from "@/testing/serverScreen";

startServer();

const aSuspension = (overrides: Partial<Decision> = {}) =>
  aDecision({ decision: "suspend", until: "2099-12-03T10:00:00Z", ...overrides });
const NOTE = /^You cannot trade until/;

function renderDashboard(role: "buyer" | "admin", ...decisions: Decision[]) {
  onSignedInUser(karim, role);
  onList("/users/sellers", "admin", []);
  onList("/decisions", "me", decisions);
  return renderApp("/dashboard/notifications");
}

it("says until when somebody who is suspended can't trade, and leads to the reason", async () => {
  const shorter = aSuspension({ until: "2099-11-30T10:00:00Z" });
  const { user } = renderDashboard("buyer", aSuspension(), shorter);
  expect(await screen.findByText("You cannot trade until 3 December 2099.")).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Read why" }));
  expect(await screen.findByRole("heading", { level: 2, name: "Decisions" })).toBeVisible();
  expect(screen.getByText(NOTE)).toBeVisible();
});

it.each([
  ["that is over", aSuspension({ until: "2026-01-01T10:00:00Z" })],
  [
    "that was taken back",
    aSuspension({ appeal: { text: "No", state: "reversed", words: "You are right." } }),
  ],
  ["of another kind", aDecision()],
])("says nothing about a decision %s", async (_, decision) => {
  const { store } = renderDashboard("buyer", decision);
  await waitFor(() => expect(callsTo("GET", "/decisions")).toHaveLength(1));
  await screen.findByRole("heading", { level: 2, name: "Notifications" });
  expect(screen.queryByText(NOTE)).toBeNull();
  receiveEvents(store, anEvent("me", "decision.changed", aSuspension()));
  expect(screen.getByText(NOTE)).toBeVisible();
});

it("does not ask for the decisions about an admin, who can't be suspended", async () => {
  renderDashboard("admin");
  await screen.findByRole("heading", { level: 2, name: "Notifications" });
  expect(callsTo("GET", "/decisions")).toHaveLength(0);
});
