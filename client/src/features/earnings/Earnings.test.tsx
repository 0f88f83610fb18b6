import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { refetchLists } from "@/api/refetchLists";
import type { Earning, Earnings as Sums } from "@/api/types";
import { createDeferred } from "@/testing/deferred";
import { aBooking, anEvent, newId, salma } from "@/testing/factories";
import { callsTo, errorResponse, type MockResponse, on, onConfig, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import { findRow } from "@/testing/tables";
import Earnings from "./Earnings";
import { earnings, MINE } from "./endpoints";

startServer();

const aSale = (overrides: Partial<Earning> = {}): Earning => ({
  bookingID: newId(),
  productName: "Nexus 5",
  price: 12000,
  postage: 0,
  commission: 600,
  net: 11400,
  state: "due",
  at: "2026-11-25T04:00:00Z",
  ...overrides,
});

/** Sets the response; a change of the returned object is in the next response. */
function onEarnings(lines: Earning[], overrides: Partial<Sums> = {}): Sums {
  const sums: Sums = {
    earned: 11400,
    waiting: 11400,
    handover: 0,
    due: 11400,
    paidOut: 0,
    payouts: "manual",
    lines,
    ...overrides,
  };
  on("get", "/earnings", () => ({ body: { ...sums }, headers: { "Live-Position": "me=e1-1" } }));
  return sums;
}

const renderEarnings = () => renderScreen(<Earnings />, { me: salma });
const statValue = (label: string) => screen.getByText(label, { selector: "dt" }).nextElementSibling;
const findEarning = async (name: string) => within(await findRow(name));

it("shows the three sums, how sellers are paid, and each sale with its link, shares and reference", async () => {
  const sold = aSale({ productName: "Sold", state: "paidOut", reference: "transfer 1" });
  onEarnings([sold, aSale({ productName: "Refunded", state: "refunded" })], {
    paidOut: 124050,
    handover: 32000,
    due: 0,
  });
  renderEarnings();
  const row = await findEarning("Sold");
  expect(row.getByRole("link", { name: "Sold" })).toHaveAttribute(
    "href",
    `/dashboard/order/${sold.bookingID}`,
  );
  for (const text of ["$120", "$6", "$114", "Paid out", "Reference: transfer 1", "25 Nov 2026"])
    expect(row.getByText(text)).toBeVisible();
  expect((await findEarning("Refunded")).getAllByText("–")).toHaveLength(2);
  expect(statValue("Waiting for handover")).toHaveTextContent("$320");
  expect(statValue("To be paid out")).toHaveTextContent("$0");
  expect(screen.queryByText("Earned")).toBeNull();
  expect(statValue("Paid out")).toHaveTextContent("$1,240.50");
  expect(await screen.findByText(/we pay you and show/)).toBeVisible();
});

it("shows the postage beside the price, and what the seller receives with it", async () => {
  onEarnings([aSale({ productName: "Sent", postage: 1200, net: 12600 }), aSale({ productName: "Met" })]);
  renderEarnings();
  const row = await findEarning("Sent");
  for (const text of ["$120", "plus $12 postage", "$6", "$126"]) expect(row.getByText(text)).toBeVisible();
  expect((await findEarning("Met")).queryByText(/postage/)).toBeNull();
});

it("shows the sales of all pages", async () => {
  const sums = onEarnings([]);
  on("get", "/earnings", ({ url }) =>
    new URL(url).searchParams.get("cursor") === "c+1"
      ? { body: { ...sums, lines: [aSale({ productName: "Old" })] } }
      : {
          body: { ...sums, lines: [aSale({ productName: "New" })] },
          headers: { Link: '</earnings?cursor=c%2B1>; rel="next"' },
        },
  );
  renderEarnings();
  expect(await findEarning("New")).toBeDefined();
  expect(await findEarning("Old")).toBeDefined();
});

it("shows what the seller has paid back", async () => {
  onEarnings([aSale({ productName: "Repaid", state: "repaid", reference: "bank 7" })]);
  renderEarnings();
  const row = await findEarning("Repaid");
  for (const text of ["Refunded to the buyer, and paid back by you", "Reference: bank 7"])
    expect(row.getByText(text)).toBeVisible();
  expect(row.getAllByText("–")).toHaveLength(2);
});

it("shows what the seller owes after a refund of paid-out money", async () => {
  onConfig({ payouts: "off" });
  onEarnings([aSale({ state: "debt" })], { waiting: -11400 });
  renderEarnings();
  expect(await screen.findByText("You owe this")).toBeVisible();
  expect(statValue("You owe")).toHaveTextContent("$114");
  expect(await screen.findByText(/do not pay out through this page/)).toBeVisible();
});

it("refetches the sums after the event of an order, and after no other event", async () => {
  const sale = aSale({ productName: "Sold" });
  const sums = onEarnings([sale]);
  const { store } = renderEarnings();
  expect((await findEarning("Sold")).getByText("To be paid out")).toBeVisible();
  const receive = (type: string, version: number) =>
    receiveEvents(store, anEvent("me", type, aBooking({ _id: sale.bookingID, version })));
  receive("notification.added", 1);
  expect(callsTo("GET", "/earnings")).toHaveLength(1);
  sums.paidOut = 11400;
  sums.due = 0;
  sums.lines = [{ ...sale, state: "paidOut", reference: "transfer 1" }];
  receive("booking.changed", 2);
  expect(await screen.findByText("Reference: transfer 1")).toBeVisible();
  expect(statValue("To be paid out")).toHaveTextContent("$0");
  receive("booking.changed", 2);
  expect(callsTo("GET", "/earnings")).toHaveLength(2);
});

it("fetches the sums again when the seller returns to the screen", async () => {
  const sums = onEarnings([aSale()]);
  const { store, unmount } = renderEarnings();
  await findEarning("Nexus 5");
  unmount();
  await waitFor(() => expect(earnings.select(MINE)(store.getState()).isUninitialized).toBe(true));
  sums.due = 22800;
  receiveEvents(store, anEvent("me", "booking.changed", aBooking()));
  renderScreen(<Earnings />, { store });
  await waitFor(() => expect(statValue("To be paid out")).toHaveTextContent("$228"));
});

it("refetches the sums after an event that arrives during the first request", async () => {
  const sums = onEarnings([aSale()]);
  const old = { body: { ...sums }, headers: { "Live-Position": "me=e1-1" } };
  const response = createDeferred<MockResponse>();
  on("get", "/earnings", () => response.promise);
  const { store } = renderEarnings();
  await waitFor(() => expect(callsTo("GET", "/earnings")).toHaveLength(1));
  receiveEvents(store, anEvent("me", "booking.changed", aBooking()));
  onEarnings([aSale()], { due: 22800 });
  response.resolve(old);
  await waitFor(() => expect(statValue("To be paid out")).toHaveTextContent("$228"));
});

it("refetches the sums after a gap in the events", async () => {
  const sums = onEarnings([aSale()]);
  const { store } = renderEarnings();
  await findEarning("Nexus 5");
  sums.due = 22800;
  await act(() => store.dispatch(refetchLists(({ topic }) => topic === "me")));
  await waitFor(() => expect(statValue("To be paid out")).toHaveTextContent("$228"));
});

it("leads a seller without an account to Stripe, and refetches the account's state after a notification", async () => {
  const assign = vi.fn();
  vi.stubGlobal("location", { ...window.location, assign });
  onConfig({ payouts: "stripe" });
  const sums = onEarnings([], { payouts: "stripe", account: "none" });
  const { user, store } = renderEarnings();
  on("post", "/payouts/onboarding", errorResponse(503, "Please try again in a moment"));
  const setUp = await screen.findByRole("button", { name: "Set up payouts" });
  await user.click(setUp);
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  expect(assign).not.toHaveBeenCalled();
  await waitFor(() => expect(setUp).toBeEnabled());
  on("post", "/payouts/onboarding", () => ({ body: { url: "https://connect.stripe.example/setup" } }));
  await user.click(setUp);
  await waitFor(() => expect(assign).toHaveBeenCalledWith("https://connect.stripe.example/setup"));

  const receive = (_id: string) =>
    receiveEvents(
      store,
      anEvent("me", "notification.added", { _id, version: 1, link: "/dashboard/earnings" } as never),
    );
  sums.account = "pending";
  receive(newId());
  expect(await screen.findByRole("button", { name: "Continue setup" })).toBeVisible();
  sums.account = "ready";
  receive(newId());
  expect(await screen.findByText(/Your Stripe account is ready/)).toBeVisible();
  expect(screen.queryByRole("button", { name: /setup|Set up/ })).toBeNull();
});

it("has a link to My Products without a sale, and shows an error with a retry button", async () => {
  on("get", "/earnings", errorResponse(503, "Please try again in a moment"));
  const { user } = renderEarnings();
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  onEarnings([], { earned: 0, waiting: 0 });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("You have not sold a phone yet")).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to My Products" })).toHaveAttribute(
    "href",
    "/dashboard/myProducts",
  );
});

it.each([
  ["Waiting for handover", "See what waits", "Waiting"],
  ["To be paid out", "See what is due", "Due"],
  ["Paid out", "See what was paid out", "Had"],
  ["You owe", "See what you owe", "Owed"],
])("each figure leads to its sales: %s", async (label, link, name) => {
  onEarnings([
    aSale({ productName: "Waiting", state: "waiting" }),
    aSale({ productName: "Due", state: "due" }),
    aSale({ productName: "Had", state: "paidOut" }),
    aSale({ productName: "Owed", state: "debt" }),
    aSale({ productName: "Back", state: "refunded" }),
  ]);
  const { user } = renderEarnings();
  await findEarning("Back");
  expect(statValue(label)).toHaveTextContent(/\$/);
  await user.click(screen.getByRole("link", { name: link }));
  await waitFor(() => expect(screen.queryByText("Back")).toBeNull());
  expect(screen.getByRole("link", { name })).toBeVisible();
  expect(screen.getByRole("heading", { name: /^Your sales: / })).toHaveFocus();
  await user.click(screen.getByRole("link", { name: "Show all sales" }));
  expect(await screen.findByText("Back")).toBeVisible();
});
