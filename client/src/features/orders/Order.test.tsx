import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { encode } from "uqr";
import { describe, expect, it, vi } from "vitest";
import type { Booking, Fulfilment, Role } from "@/api/types";
import { aBooking, anEvent, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onConfig, onNetworkError, onRole, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import Order from "./Order";

startServer();

const PAID_AT = "2026-11-20T10:00:00Z";
const SETTLES_AT = "2026-11-25T10:00:00Z";

const salma = { name: "Salma Rahman", email: "salma@example.com", phone: "+880 1711", location: "Dhaka" };

/** A paid order with this fulfilment. */
const aPaidOrder = (fulfilment: Partial<Fulfilment> = {}, more: Partial<Booking> = {}): Booking =>
  aBooking({
    paid: true,
    status: "paid",
    seller: salma,
    transactionId: "pi_1",
    fulfilment: { state: "waiting", paidAt: PAID_AT, ...fulfilment },
    ...more,
  });

const inPost = { state: "sent", method: "posted", carrier: "DHL", tracking: "D-1", sentAt: PAID_AT } as const;

/** The page of this order as one side sees it. The fake server has the order. */
function renderOrder(order: Booking, side: Role, hash = "") {
  onRole(karim.email, side);
  const topic = side === "admin" ? "admin" : "me";
  on("get", `/booking/${order._id}`, { body: { ...order }, headers: { "Live-Position": `${topic}=e1-1` } });
  return renderPage(order._id, hash);
}

const renderPage = (id: string, hash = "") =>
  renderScreen(
    <Routes>
      <Route path="dashboard/order/:id" element={<Order />} />
    </Routes>,
    { me: karim, at: `/dashboard/order/${id}${hash}` },
  );

const headline = (name: string | RegExp) => screen.findByRole("heading", { level: 3, name });
const button = (name: string) => screen.getByRole("button", { name });
const timeline = () =>
  within(screen.getByRole("region", { name: "Timeline" }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);

describe("what happens next", () => {
  it.each<[Role, string]>([
    ["buyer", "Salma Rahman meets you or sends you the phone"],
    ["seller", "Meet Karim Uddin or send the phone"],
    ["admin", "Salma Rahman meets Karim Uddin or sends the phone"],
  ])("is said to the %s of a paid order", async (side, title) => {
    renderOrder(aPaidOrder(), side);
    expect(await headline(title)).toBeVisible();
    expect(document.title).toBe("Order of iPhone 6 · SecondRing");
  });

  it("is said with the tracking number and the deadline once the phone is sent", async () => {
    renderOrder(aPaidOrder({ ...inPost, settlesAt: SETTLES_AT }), "buyer");
    expect(await headline("Your phone is on its way")).toBeVisible();
    expect(screen.getByText(/report a problem by 25 Nov 2026/)).toBeVisible();
    expect(screen.getAllByText("DHL, number D-1")[0]).toBeVisible();
    expect(screen.queryByRole("button", { name: "Correct the tracking number" })).toBeNull();
  });

  it.each<[Role, string]>([
    ["buyer", "We are looking into your problem"],
    ["seller", "Karim Uddin has reported a problem"],
    ["admin", "Decide on the problem of Karim Uddin"],
  ])("has the words of a problem for the %s", async (side, title) => {
    renderOrder(aPaidOrder({ state: "problem", problem: "It is broken", problemAt: PAID_AT }), side);
    expect(await headline(title)).toBeVisible();
    expect(screen.getByText("It is broken")).toBeVisible();
  });

  it.each<[string, Partial<Booking>, string]>([
    ["released", {}, "The sale is completed"],
    ["paid out", { paidOutAt: SETTLES_AT }, "You have been paid"],
  ])("is said to the seller of an order that is %s", async (_, more, title) => {
    renderOrder(aPaidOrder({ state: "settled", outcome: "release", settledAt: PAID_AT }, more), "seller");
    expect(await headline(title)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Confirm the handover" })).toBeNull();
  });

  it.each<[string, Partial<Booking>, string]>([
    ["on its way", {}, "Your money is on its way back to you"],
    [
      "done",
      { status: "refunded", paid: false, seller: { ...salma, email: "", phone: "" } },
      "Your money was refunded",
    ],
  ])("is said to the buyer whose refund is %s, with the admin's reason", async (_, more, title) => {
    const refund = {
      state: "settled",
      outcome: "refund",
      reason: "It is broken",
      settledAt: PAID_AT,
    } as const;
    renderOrder(aPaidOrder(refund, more), "buyer");
    expect(await headline(title)).toBeVisible();
    expect(screen.getByText("Reason for the decision: It is broken")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Report a problem" })).toBeNull();
  });

  it.each<[Role, string]>([
    ["buyer", "This payment is disputed at your bank"],
    ["seller", "Karim Uddin disputes the payment at their bank"],
    ["admin", "Karim Uddin disputes the payment at their bank"],
  ])(
    "is the bank's decision for the %s while the payment is disputed; nobody may do a step",
    async (side, title) => {
      // The bank has taken the money, so the order is refunded until it has decided.
      const atTheBank = { status: "refunded", paid: false } as const;
      renderOrder(aPaidOrder({}, { ...atTheBank, dispute: { state: "open", openedAt: PAID_AT } }), side);
      expect(await headline(title)).toBeVisible();
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

  it("is the payment for a buyer who has not paid", async () => {
    const order = aBooking();
    renderOrder(order, "buyer");
    expect(await headline("Pay to keep this phone")).toBeVisible();
    expect(screen.getByRole("link", { name: "Pay" })).toHaveAttribute(
      "href",
      `/dashboard/payment/${order._id}`,
    );
    expect(screen.queryByRole("button", { name: "Print receipt" })).toBeNull();
  });

  it("changes with an event, and is announced", async () => {
    const order = aPaidOrder();
    const { store } = renderOrder(order, "buyer");
    await headline(/meets you/);
    const sent = { ...order, version: 2, fulfilment: { ...order.fulfilment, ...inPost } };
    receiveEvents(store, anEvent("me", "booking.changed", sent));
    expect(await headline("Your phone is on its way")).toBeVisible();
    await waitFor(() => expect(screen.getByRole("log")).toHaveTextContent("Your phone is on its way"));
  });

  it("changes on an admin's screen with the events of admins", async () => {
    const order = aPaidOrder();
    const { store } = renderOrder(order, "admin");
    await headline(/Salma Rahman meets/);
    const sent = { ...order, version: 2, fulfilment: { ...order.fulfilment, ...inPost } };
    receiveEvents(store, anEvent("admin", "order.changed", sent));
    expect(await headline("The phone is on its way to Karim Uddin")).toBeVisible();
  });
});

describe("the timeline", () => {
  it("has what is still to come", async () => {
    renderOrder(aPaidOrder(), "buyer");
    await headline(/meets you/);
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

  it("leaves out what did not happen", async () => {
    const met = {
      state: "settled",
      method: "met",
      receivedAt: PAID_AT,
      outcome: "release",
      settledAt: PAID_AT,
    } as const;
    renderOrder(aPaidOrder(met, { paidOutAt: PAID_AT }), "seller");
    await headline("You have been paid");
    expect(timeline().map((step) => step?.replace(/ ?20 Nov 2026.*/, ""))).toEqual([
      expect.stringMatching(/^Booked/),
      "Paid",
      "Handed over in person",
      "Completed",
      "Paid out to the seller",
    ]);
  });
});

it("the timeline of an order that was refunded before it was sent has nothing to come", async () => {
  renderOrder(aPaidOrder({}, { status: "refunded", paid: false }), "buyer");
  await headline("Your money was refunded");
  expect(timeline()).toEqual([
    expect.stringMatching(/^Booked/),
    expect.stringMatching(/^Paid/),
    "Refunded to the buyer ",
  ]);
});

it("without payouts there is nothing after the end of an order", async () => {
  onConfig({ payouts: "off" });
  renderOrder(aPaidOrder({ state: "settled", outcome: "release", settledAt: PAID_AT }), "seller");
  await headline("This order is completed");
  await waitFor(() => expect(timeline()).toHaveLength(3));
  expect(timeline().at(-1)).toMatch(/^Completed/);
});

it("the timeline of a dispute that was won goes on after it", async () => {
  const dispute = {
    state: "won",
    openedAt: "2026-11-21T10:00:00Z",
    closedAt: "2026-11-22T10:00:00Z",
  } as const;
  renderOrder(aPaidOrder(inPost, { dispute }), "seller");
  await headline("The phone is on its way to Karim Uddin");
  expect(timeline().slice(2)).toEqual([
    expect.stringMatching(/^Sent by post/),
    expect.stringMatching(/^Disputed at/),
    expect.stringMatching(/^Dispute decided for the seller/),
    "Received by the buyer (still to come)",
    "Paid out to the seller (still to come)",
  ]);
});

describe("a buyer", () => {
  it("shows a code as digits and as a QR code of the link for the seller", async () => {
    const order = aPaidOrder();
    const { user } = renderOrder(order, "buyer");
    await headline(/meets you/);
    on("post", `/bookings/${order._id}/handover`, {
      body: { code: "012345", expiresAt: new Date(Date.now() + 600_000).toISOString() },
    });
    await user.click(button("Show the handover code"));
    expect(await screen.findByText("012")).toBeVisible();
    expect(screen.getByText("345")).toBeVisible();
    expect(screen.getByText(/9 min left/)).toBeVisible();
    const { data } = encode(`${window.location.origin}/dashboard/order/${order._id}#code=012345`, {
      ecc: "M",
      border: 4,
    });
    const dark = data.flat().filter(Boolean).length;
    const path = screen.getByRole("img", { name: /^QR code/ }).querySelector("path");
    expect(path?.getAttribute("d")?.match(/M/g)).toHaveLength(dark);
  });

  it("is told when the code has expired", async () => {
    const order = aPaidOrder();
    const { user } = renderOrder(order, "buyer");
    await headline(/meets you/);
    on("post", `/bookings/${order._id}/handover`, { body: { code: "012345", expiresAt: PAID_AT } });
    await user.click(button("Show the handover code"));
    expect(await screen.findByText("This code has expired.")).toBeVisible();
    expect(screen.queryByRole("img", { name: /^QR code/ })).toBeNull();
    expect(button("Show a new code")).toBeEnabled();
  });

  it("confirms the receipt in a dialog", async () => {
    const order = aPaidOrder(inPost);
    const { user } = renderOrder(order, "buyer");
    await headline("Your phone is on its way");
    on("put", `/bookings/${order._id}/fulfilment`, { body: { acknowledged: true, modifiedCount: 1 } });
    await user.click(button("I have received it"));
    const question = screen.getByRole("alertdialog", { name: "Have you received the phone?" });
    expect(callsTo("PUT", `/bookings/${order._id}/fulfilment`)).toHaveLength(0);
    await user.click(within(question).getByRole("button", { name: "I have received it" }));
    await waitFor(() =>
      expect(callsTo("PUT", `/bookings/${order._id}/fulfilment`)).toMatchObject([
        { body: { action: "received" } },
      ]),
    );
  });

  it("reports a problem; Cancel and an error keep what was typed", async () => {
    const order = aPaidOrder();
    const path = `/bookings/${order._id}/fulfilment`;
    const { user } = renderOrder(order, "buyer");
    await headline(/meets you/);
    const dialog = () => within(screen.getByRole("dialog", { name: "Report a problem" }));
    await user.click(button("Report a problem"));
    await user.click(dialog().getByRole("button", { name: "Report a problem" }));
    expect(await dialog().findByText("Say what is wrong")).toBeVisible();
    await user.type(dialog().getByLabelText("What is wrong?"), "No charger");
    await user.click(dialog().getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.click(button("Report a problem"));
    expect(dialog().getByLabelText("What is wrong?")).toHaveValue("No charger");
    on("put", path, errorResponse(503, "Please try again later"));
    await user.click(dialog().getByRole("button", { name: "Report a problem" }));
    expect(await dialog().findByText("Please try again later")).toBeVisible();
    expect(dialog().getByLabelText("What is wrong?")).toHaveValue("No charger");
    expect(callsTo("PUT", path)).toMatchObject([{ body: { action: "problem", reason: "No charger" } }]);
  });

  it("sees how to reach the seller, and prints a receipt", async () => {
    const print = vi.spyOn(window, "print").mockReturnValue();
    const { user, container } = renderOrder(aPaidOrder(), "buyer");
    await headline(/meets you/);
    const seller = within(screen.getByRole("region", { name: "Seller" }));
    expect(seller.getByRole("link", { name: "+880 1711" })).toHaveAttribute("href", "tel:+8801711");
    expect(screen.queryByRole("region", { name: "Buyer" })).toBeNull();
    await user.click(button("Print receipt"));
    expect(print).toHaveBeenCalledOnce();
    const receipt = container.querySelector("[data-receipt]");
    for (const part of [
      "SecondRing",
      "iPhone 6, Apple",
      "$180",
      "Paid in full",
      "pi_1",
      "Salma Rahman",
      "Karim Uddin",
    ]) {
      expect(receipt).toHaveTextContent(part);
    }
  });
});

describe("a seller", () => {
  it("enters the buyer's code; a wrong one is shown at the field", async () => {
    const order = aPaidOrder();
    const path = `/bookings/${order._id}/fulfilment`;
    const { user } = renderOrder(order, "seller");
    await headline("Meet Karim Uddin or send the phone");
    await user.type(screen.getByLabelText("Code"), "12");
    await user.click(button("Confirm the handover"));
    expect(await screen.findByText("The code has six digits")).toBeVisible();
    expect(callsTo("PUT", path)).toHaveLength(0);
    on("put", path, {
      status: 422,
      body: { message: "Wrong", code: "invalid", fields: { code: "Tries left: 4" } },
    });
    await user.clear(screen.getByLabelText("Code"));
    await user.type(screen.getByLabelText("Code"), "123 456");
    await user.click(button("Confirm the handover"));
    expect(await screen.findByText("Tries left: 4")).toBeVisible();
    expect(screen.getByLabelText("Code")).toHaveValue("123 456");
    expect(callsTo("PUT", path)).toMatchObject([{ body: { action: "handed", code: "123456" } }]);
  });

  it("only confirms after opening the link of the QR code", async () => {
    const order = aPaidOrder();
    const path = `/bookings/${order._id}/fulfilment`;
    const { user } = renderOrder(order, "seller", "#code=654321");
    await headline("Meet Karim Uddin or send the phone");
    expect(screen.getByLabelText("Code")).toHaveValue("654321");
    expect(button("Confirm the handover")).toHaveFocus();
    expect(screen.queryByRole("form", { name: "Send the phone by post" })).toBeNull();
    on("put", path, { body: { acknowledged: true, modifiedCount: 1 } });
    await user.keyboard("{Enter}");
    await waitFor(() => expect(callsTo("PUT", path)).toMatchObject([{ body: { code: "654321" } }]));
  });

  it("enters the carrier, and sends after a confirmation", async () => {
    const order = aPaidOrder();
    const path = `/bookings/${order._id}/fulfilment`;
    const { user } = renderOrder(order, "seller");
    await headline("Meet Karim Uddin or send the phone");
    await user.click(button("I have sent it"));
    expect(await screen.findByText("Carrier is required")).toBeVisible();
    await user.type(screen.getByLabelText("Carrier"), "DHL");
    await user.type(screen.getByLabelText("Tracking number"), "D-1");
    on("put", path, errorResponse(409, "The buyer has reported a problem"));
    await user.click(button("I have sent it"));
    const question = await screen.findByRole("alertdialog", { name: "Have you sent the phone?" });
    expect(question).toHaveTextContent("DHL, number D-1");
    await user.click(within(question).getByRole("button", { name: "I have sent it" }));
    expect(await screen.findByText("The buyer has reported a problem")).toBeVisible();
    expect(screen.getByLabelText("Carrier")).toHaveValue("DHL");
    expect(callsTo("PUT", path)).toMatchObject([
      { body: { action: "send", carrier: "DHL", tracking: "D-1" } },
    ]);
  });

  it("corrects the tracking number while the phone is on its way; errors keep what was typed", async () => {
    const order = aPaidOrder(inPost);
    const path = `/bookings/${order._id}/fulfilment`;
    const { user, store } = renderOrder(order, "seller");
    await headline("The phone is on its way to Karim Uddin");
    await user.click(button("Correct the tracking number"));
    const dialog = within(screen.getByRole("dialog", { name: "Correct the tracking number" }));
    const tracking = dialog.getByLabelText("Tracking number");
    expect(dialog.getByLabelText("Carrier")).toHaveValue("DHL");
    expect(dialog.getByLabelText("Carrier")).toHaveFocus();
    expect(tracking).toHaveValue("D-1");
    await user.click(dialog.getByRole("button", { name: "Correct" }));
    expect(await dialog.findByText("Change the carrier or the tracking number")).toBeVisible();
    expect(tracking).toHaveFocus();
    expect(callsTo("PUT", path)).toHaveLength(0);
    await user.clear(tracking);
    await user.type(tracking, "D-2");
    on("put", path, errorResponse(503, "Please try again later"));
    await user.click(dialog.getByRole("button", { name: "Correct" }));
    expect(await dialog.findByText("Please try again later")).toBeVisible();
    expect(tracking).toHaveValue("D-2");
    on("put", path, { body: { acknowledged: true, modifiedCount: 1 } });
    await user.click(dialog.getByRole("button", { name: "Correct" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(button("Correct the tracking number")).toHaveFocus();
    expect(await screen.findByText("The tracking number has been corrected.")).toBeVisible();
    expect(callsTo("PUT", path).at(-1)).toMatchObject({
      body: { action: "send", carrier: "DHL", tracking: "D-2" },
    });
    const corrected = {
      ...order,
      version: 2,
      fulfilment: { ...order.fulfilment, ...inPost, tracking: "D-2" },
    };
    receiveEvents(store, anEvent("me", "booking.changed", corrected));
    expect(screen.getAllByText("DHL, number D-2")).toHaveLength(2);
    await user.click(button("Correct the tracking number"));
    expect(screen.getByLabelText("Tracking number")).toHaveValue("D-2");
  });

  it("can't correct the tracking number once the buyer has the phone", async () => {
    const order = aPaidOrder(inPost);
    const { user, store } = renderOrder(order, "seller");
    await headline("The phone is on its way to Karim Uddin");
    await user.click(button("Correct the tracking number"));
    const received = { ...inPost, state: "received", receivedAt: PAID_AT };
    const changed = { ...order, version: 2, fulfilment: { ...order.fulfilment, ...received } };
    receiveEvents(store, anEvent("me", "booking.changed", changed));
    expect(await headline("Karim Uddin has the phone")).toHaveFocus();
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.queryByRole("button", { name: "Correct the tracking number" })).toBeNull();
  });

  it("sees how to reach the buyer", async () => {
    renderOrder(aPaidOrder(), "seller");
    const buyer = within(await screen.findByRole("region", { name: "Buyer" }));
    expect(buyer.getByText("Karim Uddin")).toBeVisible();
    expect(screen.queryByRole("region", { name: "Seller" })).toBeNull();
  });
});

it("an admin decides with a reason, after a confirmation", async () => {
  const order = aPaidOrder({ state: "problem", problem: "It is broken", problemAt: PAID_AT });
  const path = `/bookings/${order._id}/fulfilment`;
  const { user } = renderOrder(order, "admin");
  await headline(/^Decide on/);
  await user.selectOptions(screen.getByLabelText("Decision"), "refund");
  await user.type(screen.getByLabelText("Reason"), "It is");
  await user.click(button("Decide"));
  on("put", path, { body: { acknowledged: true, modifiedCount: 1 } });
  await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Decide" }));
  await waitFor(() =>
    expect(callsTo("PUT", path)).toMatchObject([
      { body: { action: "settle", outcome: "refund", reason: "It is" } },
    ]),
  );
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
    expect(await headline(/meets you/)).toBeVisible();
  });
});
