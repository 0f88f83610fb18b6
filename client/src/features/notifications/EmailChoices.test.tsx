import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { EmailSettings } from "@/api/types";
import { anEvent, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onConfig, onRole, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import Notifications from "./Notifications";

startServer();

const PATH = "/notifications/settings";

/** The settings at a version, with these choices and "off" for the rest. */
const settings = (version: number, email: Record<string, string> = {}): EmailSettings => ({
  _id: "u-karim",
  version,
  email: { turn: "off", order: "off", released: "off", match: "off", price: "off", ...email },
});

/** Sets the responses: these settings, the role, and whether the market sends email. */
function onSettings(saved: EmailSettings, role: "buyer" | "seller" | "admin" = "buyer", mail = true): void {
  on("get", PATH, { body: saved, headers: { "Live-Position": "me=e1-0" } });
  on("put", PATH, { body: { acknowledged: true, modifiedCount: 1 } });
  onConfig({ mail });
  onRole(karim.email, role);
}

const renderChoices = (me = karim) =>
  renderScreen(<Notifications />, { me, at: "/dashboard/notifications#emails" });
const findChoice = (label: string) => screen.findByRole("combobox", { name: label });
const CHEAPER = "Price drops";

it("is opened by a button, and by the link in an email", async () => {
  onSettings(settings(3));
  const { user, unmount } = renderScreen(<Notifications />, { me: karim });
  const button = screen.getByRole("button", { name: "Email settings" });
  expect(button).toHaveAttribute("aria-expanded", "false");
  await user.click(button);
  expect(await findChoice(CHEAPER)).toHaveValue("off");
  await user.click(button);
  expect(screen.queryByRole("combobox")).toBeNull();
  unmount();
  renderChoices();
  expect(await findChoice(CHEAPER)).toHaveDisplayValue("Never");
});

it("a choice is saved at once, with a message", async () => {
  onSettings(settings(3));
  const { user, store } = renderChoices();
  await user.selectOptions(await findChoice(CHEAPER), "Once a day");
  expect(await screen.findByText("Saved")).toBeVisible();
  expect(callsTo("PUT", PATH).map(({ body }) => body)).toEqual([{ email: { price: "daily" } }]);
  expect(await findChoice(CHEAPER)).toHaveValue("daily");
  receiveEvents(store, anEvent("me", "settings.changed", settings(4, { price: "daily" })));
  expect(await findChoice(CHEAPER)).toHaveValue("daily");
});

it("is updated by a choice in another window", async () => {
  onSettings(settings(3));
  const { store } = renderChoices();
  await findChoice(CHEAPER);
  receiveEvents(store, anEvent("me", "settings.changed", settings(4, { price: "now" })));
  expect(await findChoice(CHEAPER)).toHaveDisplayValue("At once");
});

it("reverts a choice that could not be saved, and shows the reason", async () => {
  onSettings(settings(3, { price: "now" }));
  on("put", PATH, errorResponse(429, "Please wait a moment"));
  const { user } = renderChoices();
  await user.selectOptions(await findChoice(CHEAPER), "Never");
  expect(await screen.findByRole("alert")).toHaveTextContent("Please wait a moment");
  expect(await findChoice(CHEAPER)).toHaveValue("now");
});

it("shows an error with a retry button", async () => {
  onSettings(settings(3));
  on("get", PATH, errorResponse(503, "Please try again in a moment"));
  const { user } = renderChoices();
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  onSettings(settings(3));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await findChoice(CHEAPER)).toBeVisible();
});

it.each([
  [
    "seller",
    "It is your turn for a phone that you are waiting for",
    "Someone reports something, or asks to look again at a decision",
  ],
  ["buyer", "It is your turn for a phone that you are waiting for", "Someone books your phone"],
  ["admin", "Someone reports something, or asks to look again at a decision", "Someone books your phone"],
] as const)("offers a %s the kinds of notifications of this role", async (role, offered, other) => {
  onSettings(settings(3), role);
  renderChoices();
  expect(await findChoice(offered)).toBeVisible();
  expect(screen.queryByRole("combobox", { name: other })).toBeNull();
});

it.each(["seller", "buyer", "admin"] as const)(
  "offers a %s emails about decisions of admins",
  async (role) => {
    onSettings(settings(3), role);
    renderChoices();
    expect(
      await findChoice("Decisions of our admins about you, or about what you have reported"),
    ).toBeVisible();
  },
);

it.each(["seller", "buyer", "admin"] as const)("offers a %s emails about orders", async (role) => {
  onSettings(settings(3), role);
  renderChoices();
  expect(await findChoice("Order updates")).toBeVisible();
});

it("offers a user with an unconfirmed email to send the link again", async () => {
  onSettings(settings(3));
  on("post", "/identity/verify/send", { status: 204 });
  const { user } = renderChoices({ ...karim, emailVerified: false });
  expect(await screen.findByText("Email not confirmed")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Send the link again" }));
  await waitFor(() => expect(callsTo("POST", "/identity/verify/send")).toHaveLength(1));
});

it("shows that the market sends no emails", async () => {
  onSettings(settings(3), "buyer", false);
  renderChoices();
  expect(await screen.findByText(/SecondRing is not sending emails/)).toBeVisible();
});
