import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Booking, Fulfilment, Role } from "@/api/types";
import { aBooking, anEvent, karim } from "@/testing/factories";
import {
  aPaidOrder,
  button,
  findHeadline,
  PAID_AT,
  posted,
  renderOrder,
  renderPage,
  SETTLES_AT,
  seller,
} from "@/testing/orderScreen";
import { errorResponse, on, onConfig, onNetworkError, onRole, startServer } from "@/testing/server";
import { receiveEvents } from "@/testing/serverScreen";

startServer();

const timeline = () =>
  within(screen.getByRole("region", { name: "Timeline" }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);

describe("the next step", () => {
  const titles = { buyer: "Your order", seller: "Sale", admin: "Order" };

  it.each<[Role, Booking["delivery"], string]>([
    ["buyer", "meet", "Next: get your phone from Salma Rahman"],
    ["buyer", "send", "Next: get your phone from Salma Rahman"],
    ["seller", "meet", "Meet Karim Uddin and hand over the phone"],
    ["seller", "send", "Send the phone to Karim Uddin"],
    ["admin", "meet", "Salma Rahman meets Karim Uddin"],
    ["admin", "send", "Salma Rahman sends Karim Uddin the phone"],
  ])("is shown to the %s of a paid order, by its delivery: %s", async (role, delivery, title) => {
    renderOrder(aPaidOrder({}, { delivery }), role);
    expect(await findHeadline(title)).toBeVisible();
    expect(document.title).toBe(`${titles[role]}: iPhone 6 · SecondRing`);
  });

  it("is shown with the tracking number and the deadline after the phone was sent", async () => {
    renderOrder(aPaidOrder({ ...posted, settlesAt: SETTLES_AT }), "buyer");
    expect(await findHeadline("Your phone is on its way")).toBeVisible();
    expect(screen.getByText(/report a problem by 25 Nov 2026/)).toBeVisible();
    expect(screen.getAllByText("DHL, number D-1")[0]).toBeVisible();
    expect(screen.queryByRole("button", { name: "Correct the tracking number" })).toBeNull();
  });

  it.each<[string, Partial<Fulfilment>, Role, RegExp]>([
    ["waiting", { sendBy: SETTLES_AT }, "buyer", /handed over by 25 Nov 2026.*you get your money back/],
    ["waiting", { sendBy: SETTLES_AT }, "seller", /hand it over by 25 Nov 2026.*the buyer gets the money/],
    ["waiting", { sendBy: SETTLES_AT }, "admin", /handed over by 25 Nov 2026.*the buyer is refunded/],
    ["sent", { settlesAt: SETTLES_AT }, "seller", /on 25 Nov 2026.*at the latest/],
    ["received", { settlesAt: SETTLES_AT }, "buyer", /On 25 Nov 2026.*the money goes to Salma Rahman/],
    ["received", { settlesAt: SETTLES_AT }, "seller", /yours on 25 Nov 2026/],
    ["problem", { decideBy: SETTLES_AT }, "buyer", /decide by 25 Nov 2026/],
    ["problem", { decideBy: SETTLES_AT }, "seller", /decide by 25 Nov 2026/],
    ["problem", { decideBy: SETTLES_AT }, "admin", /decide by 25 Nov 2026/],
    ["problem", { answerBy: SETTLES_AT }, "buyer", /asked Salma Rahman to answer by 25 Nov 2026/],
    ["problem", { answerBy: SETTLES_AT }, "seller", /answer by 25 Nov 2026/],
    [
      "returning",
      { returnBy: SETTLES_AT },
      "buyer",
      /by 25 Nov 2026.*you get \$180 back.*Salma Rahman gets the money/,
    ],
    ["returning", { returnBy: SETTLES_AT }, "seller", /by 25 Nov 2026.*\$180 goes back.*the money is yours/],
    ["returning", { returnBy: SETTLES_AT }, "admin", /returned by 25 Nov 2026.*the seller gets the money/],
    ["sentBack", { refundsAt: SETTLES_AT }, "buyer", /You get \$180 back.*on 25 Nov 2026.*at the latest/],
    ["sentBack", { refundsAt: SETTLES_AT }, "seller", /by 25 Nov 2026.*\$180 goes back to the buyer then/],
    ["sentBack", { refundsAt: SETTLES_AT }, "admin", /\$180 goes back.*on 25 Nov 2026.*at the latest/],
  ])("of an order that is %s has its deadline, for the side", async (state, deadline, role, text) => {
    renderOrder(aPaidOrder({ state: state as Fulfilment["state"], ...deadline }), role);
    expect(await screen.findByText(text)).toBeVisible();
  });

  it.each([
    ["not_sent", "The phone was not sent in time."],
    ["seller_cancelled", "The seller could not send the phone."],
    ["not_returned", "The phone was not sent back in time."],
    ["It was stolen", "Reason for the decision: It was stolen"],
  ])("of a refund has the reason %s in words", async (reason, text) => {
    renderOrder(aPaidOrder({ state: "settled", outcome: "refund", reason, settledAt: PAID_AT }), "buyer");
    expect(await screen.findByText(text)).toBeVisible();
  });

  it.each<[Role, string]>([
    ["buyer", "We are looking into the problem"],
    ["seller", "Karim Uddin has reported a problem"],
    ["admin", "Decide on the problem that Karim Uddin reported"],
  ])("describes a problem to the %s", async (role, title) => {
    renderOrder(aPaidOrder({ state: "problem", problem: "It is broken", problemAt: PAID_AT }), role);
    expect(await findHeadline(title)).toBeVisible();
    expect(screen.getByText("It is broken")).toBeVisible();
  });

  it.each<[string, Partial<Booking>, string]>([
    ["released", {}, "The sale is completed"],
    ["paid out", { paidOutAt: SETTLES_AT }, "You have been paid"],
  ])("is shown to the seller of an order that is %s", async (_, overrides, title) => {
    renderOrder(
      aPaidOrder({ state: "settled", outcome: "release", settledAt: PAID_AT }, overrides),
      "seller",
    );
    expect(await findHeadline(title)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Confirm the handover" })).toBeNull();
  });

  it.each<[string, Partial<Booking>, string]>([
    ["pending", {}, "Your money is on its way back to you"],
    [
      "done",
      { status: "refunded", paid: false, seller: { ...seller, email: "", phone: "" } },
      "Your money was refunded",
    ],
  ])("is shown to the buyer whose refund is %s, with the admin's reason", async (_, overrides, title) => {
    const refund = {
      state: "settled",
      outcome: "refund",
      reason: "It is broken",
      settledAt: PAID_AT,
    } as const;
    renderOrder(aPaidOrder(refund, overrides), "buyer");
    expect(await findHeadline(title)).toBeVisible();
    expect(screen.getByText("Reason for the decision: It is broken")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Report a problem" })).toBeNull();
  });

  it.each<[Role, string]>([
    ["buyer", "This payment is disputed at your bank"],
    ["seller", "Karim Uddin disputes the payment at their bank"],
    ["admin", "Karim Uddin disputes the payment at their bank"],
  ])(
    "is the bank's decision for the %s while the payment is disputed, and has no action",
    async (role, title) => {
      // The order has the status refunded until the bank has decided, because the bank has taken the money.
      const refunded = { status: "refunded", paid: false } as const;
      renderOrder(aPaidOrder({}, { ...refunded, dispute: { state: "open", openedAt: PAID_AT } }), role);
      expect(await findHeadline(title)).toBeVisible();
      expect(timeline()).toEqual([
        expect.stringMatching(/^Booked/),
        expect.stringMatching(/^Paid/),
        expect.stringMatching(/^Disputed at the buyer's bank/),
        "Decision of the bank (still to come)",
      ]);
      expect(document.querySelector("[data-receipt]")).toHaveTextContent("disputed at the buyer's bank");
      expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Print receipt"]);
    },
  );

  it.each<[Role, string]>([
    ["buyer", "Your bank has returned part of your money"],
    ["seller", "The bank has returned part of the money to Karim Uddin"],
    ["admin", "Decide about this order: the bank has returned part of the money to Karim Uddin"],
  ])("is an admin's decision for the %s after a dispute about a part was lost", async (role, title) => {
    const dispute = { state: "lost", openedAt: PAID_AT, closedAt: PAID_AT } as const;
    renderOrder(aPaidOrder({ ...posted, settlesAt: PAID_AT }, { dispute }), role);
    expect(await findHeadline(title)).toBeVisible();
    expect(screen.queryByText(/If you do neither|at the latest/)).toBeNull();
  });

  it("is the payment for a buyer who has not paid", async () => {
    const order = aBooking();
    renderOrder(order, "buyer");
    expect(await findHeadline("Pay to keep this phone")).toBeVisible();
    expect(screen.getByRole("link", { name: "Pay" })).toHaveAttribute(
      "href",
      `/dashboard/payment/${order._id}`,
    );
    expect(screen.queryByRole("button", { name: "Print receipt" })).toBeNull();
  });

  it("changes with an event, and is announced", async () => {
    const order = aPaidOrder();
    const { store } = renderOrder(order, "buyer");
    await findHeadline(/get your phone from/);
    const sent = { ...order, version: 2, fulfilment: { ...order.fulfilment, ...posted } };
    receiveEvents(store, anEvent("me", "booking.changed", sent));
    expect(await findHeadline("Your phone is on its way")).toBeVisible();
    await waitFor(() => expect(screen.getByRole("log")).toHaveTextContent("Your phone is on its way"));
  });

  it("changes on an admin's screen with the events of admins", async () => {
    const order = aPaidOrder();
    const { store } = renderOrder(order, "admin");
    await findHeadline(/Salma Rahman meets/);
    const sent = { ...order, version: 2, fulfilment: { ...order.fulfilment, ...posted } };
    receiveEvents(store, anEvent("admin", "order.changed", sent));
    expect(await findHeadline("The phone is on its way to Karim Uddin")).toBeVisible();
  });
});

describe("the timeline", () => {
  it("shows the steps that are still to come", async () => {
    renderOrder(aPaidOrder(), "buyer");
    await findHeadline(/get your phone from/);
    const [booked, paid, ...rest] = timeline();
    expect(booked).toMatch(/^Booked/);
    expect(paid).toMatch(/^Paid \D*20 Nov 2026/);
    expect(rest).toEqual([
      "Sent by post, or handed over in person (still to come)",
      "Received by the buyer (still to come)",
      "Paid out to the seller (still to come)",
    ]);
    expect(screen.getByText(/^Sent by post, or/).closest("li")).toHaveAttribute("aria-current", "step");
  });

  it("omits the steps that did not happen", async () => {
    const handedOver = {
      state: "settled",
      method: "met",
      receivedAt: PAID_AT,
      outcome: "release",
      settledAt: PAID_AT,
    } as const;
    renderOrder(aPaidOrder(handedOver, { paidOutAt: PAID_AT }), "seller");
    await findHeadline("You have been paid");
    expect(timeline().map((step) => step?.replace(/ ?20 Nov 2026.*/, ""))).toEqual([
      expect.stringMatching(/^Booked/),
      "Paid",
      "Handed over in person",
      "Completed",
      "Paid out to the seller",
    ]);
  });
});

it("does not show the buyer of a refunded order to its seller", async () => {
  const nobody = { email: "", userName: "", phone: "", location: "" };
  renderOrder(aPaidOrder({}, { status: "refunded", paid: false, ...nobody }), "seller");
  await findHeadline("The sale was refunded");
  expect(screen.getByText("The money went back to the buyer.")).toBeVisible();
  expect(screen.queryByText("This person has deleted their account.")).toBeNull();
});

it("the timeline of an order that was refunded before it was sent has no further steps", async () => {
  renderOrder(aPaidOrder({}, { status: "refunded", paid: false }), "buyer");
  await findHeadline("Your money was refunded");
  expect(timeline()).toEqual([
    expect.stringMatching(/^Booked/),
    expect.stringMatching(/^Paid/),
    "Refunded to the buyer ",
  ]);
});

it("the timeline ends with the completed order if there are no payouts", async () => {
  onConfig({ payouts: "off" });
  renderOrder(aPaidOrder({ state: "settled", outcome: "release", settledAt: PAID_AT }), "seller");
  await findHeadline("This order is completed");
  await waitFor(() => expect(timeline()).toHaveLength(3));
  expect(timeline().at(-1)).toMatch(/^Completed/);
});

it("the timeline continues after a dispute that was won", async () => {
  const dispute = {
    state: "won",
    openedAt: "2026-11-21T10:00:00Z",
    closedAt: "2026-11-22T10:00:00Z",
  } as const;
  renderOrder(aPaidOrder(posted, { dispute }), "seller");
  await findHeadline("The phone is on its way to Karim Uddin");
  expect(timeline().slice(2)).toEqual([
    expect.stringMatching(/^Sent by post/),
    expect.stringMatching(/^Disputed at/),
    expect.stringMatching(/^Dispute decided for the seller/),
    "Received by the buyer (still to come)",
    "Paid out to the seller (still to come)",
  ]);
});

describe("an order that can't be shown", () => {
  it.each([
    [404, "There is no such order"],
    [403, "This order belongs to someone else"],
  ])("shows a message and a link after a %i", async (status, text) => {
    const order = aPaidOrder();
    onRole(karim.email, "buyer");
    on("get", `/booking/${order._id}`, errorResponse(status, "no"));
    renderPage(order._id);
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to your dashboard" })).toHaveAttribute("href", "/dashboard");
  });

  it("is fetched again by the retry button after a network error", async () => {
    const order = aPaidOrder();
    onRole(karim.email, "buyer");
    onNetworkError("get", `/booking/${order._id}`);
    const { user } = renderPage(order._id);
    expect(await screen.findByRole("alert")).toHaveTextContent("can't be reached");
    on("get", `/booking/${order._id}`, { body: { ...order } });
    await user.click(button("Try again"));
    expect(await findHeadline(/get your phone from/)).toBeVisible();
  });
});
