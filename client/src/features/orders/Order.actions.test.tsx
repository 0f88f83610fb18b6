import { screen, waitFor, within } from "@testing-library/react";
import { encode } from "uqr";
import { describe, expect, it, vi } from "vitest";
import type { Booking } from "@/api/types";
import { anEvent } from "@/testing/factories";
import {
  aPaidOrder,
  button,
  findHeadline,
  PAID_AT,
  posted,
  renderOrder,
  SETTLES_AT,
} from "@/testing/orderScreen";
import { callsTo, errorResponse, on, onConfig, startServer } from "@/testing/server";
import { receiveEvents } from "@/testing/serverScreen";

startServer();

describe("a buyer", () => {
  it("sees a handover code as digits and as a QR code of the link for the seller", async () => {
    const order = aPaidOrder();
    const { user } = renderOrder(order, "buyer");
    await findHeadline(/get your phone from/);
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

  it("sees that a handover code has expired", async () => {
    const order = aPaidOrder();
    const { user } = renderOrder(order, "buyer");
    await findHeadline(/get your phone from/);
    on("post", `/bookings/${order._id}/handover`, { body: { code: "012345", expiresAt: PAID_AT } });
    await user.click(button("Show the handover code"));
    expect(await screen.findByText("This code has expired.")).toBeVisible();
    expect(screen.queryByRole("img", { name: /^QR code/ })).toBeNull();
    expect(button("Show a new code")).toBeEnabled();
  });

  it("confirms the receipt of the phone in a dialog", async () => {
    const order = aPaidOrder(posted);
    const { user } = renderOrder(order, "buyer");
    await findHeadline("Your phone is on its way");
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

  it("reports a problem of a phone that has come", async () => {
    const order = aPaidOrder({ ...posted, state: "received", receivedAt: PAID_AT, settlesAt: SETTLES_AT });
    const { user } = renderOrder(order, "buyer");
    await findHeadline("You have the phone");
    on("put", `/bookings/${order._id}/fulfilment`, { body: { acknowledged: true, modifiedCount: 1 } });
    await user.click(button("Report a problem"));
    const dialog = within(screen.getByRole("dialog", { name: "Report a problem" }));
    expect(dialog.queryByLabelText("It has not arrived")).toBeNull();
    await user.click(dialog.getByLabelText("It is not as described"));
    await user.type(dialog.getByLabelText("What is wrong?"), "It is another one");
    await user.click(dialog.getByRole("button", { name: "Report a problem" }));
    await waitFor(() =>
      expect(callsTo("PUT", `/bookings/${order._id}/fulfilment`)).toMatchObject([
        { body: { action: "problem", category: "not_as_described", reason: "It is another one" } },
      ]),
    );
    expect(screen.queryByRole("button", { name: "I have received it" })).toBeNull();
  });

  it("gives the seller more time, once", async () => {
    const order = aPaidOrder({ sendBy: SETTLES_AT });
    const { user, store } = renderOrder(order, "buyer");
    await findHeadline(/get your phone from/);
    on("put", `/bookings/${order._id}/fulfilment`, { body: { acknowledged: true, modifiedCount: 1 } });
    await user.click(button("Give the seller more time"));
    const question = screen.getByRole("alertdialog", { name: "Give the seller more time?" });
    await user.click(within(question).getByRole("button", { name: "Give the seller more time" }));
    await waitFor(() =>
      expect(callsTo("PUT", `/bookings/${order._id}/fulfilment`)).toMatchObject([
        { body: { action: "wait" } },
      ]),
    );
    const waited = { ...order, version: 2, fulfilment: { ...order.fulfilment, waited: true } };
    receiveEvents(store, anEvent("me", "booking.changed", waited));
    await waitFor(() =>
      expect(screen.queryByRole("button", { name: "Give the seller more time" })).toBeNull(),
    );
  });

  it("reports a problem; Cancel and an error keep the typed text", async () => {
    const order = aPaidOrder();
    const path = `/bookings/${order._id}/fulfilment`;
    const { user } = renderOrder(order, "buyer");
    await findHeadline(/get your phone from/);
    const dialog = () => within(screen.getByRole("dialog", { name: "Report a problem" }));
    await user.click(button("Report a problem"));
    await user.click(dialog().getByRole("button", { name: "Report a problem" }));
    expect(await dialog().findByText("Say what is wrong")).toBeVisible();
    expect(dialog().getByText("Choose what the problem is")).toBeVisible();
    await user.click(dialog().getByLabelText("Something else"));
    await user.type(dialog().getByLabelText("What is wrong?"), "No charger");
    await user.click(dialog().getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.click(button("Report a problem"));
    expect(dialog().getByLabelText("What is wrong?")).toHaveValue("No charger");
    expect(dialog().getByLabelText("Something else")).toBeChecked();
    on("put", path, errorResponse(503, "Please try again later"));
    await user.click(dialog().getByRole("button", { name: "Report a problem" }));
    expect(await dialog().findByText("Please try again later")).toBeVisible();
    expect(dialog().getByLabelText("What is wrong?")).toHaveValue("No charger");
    expect(callsTo("PUT", path)).toMatchObject([
      { body: { action: "problem", category: "other", reason: "No charger" } },
    ]);
  });

  it("sees the seller's contact details, and prints a receipt", async () => {
    const print = vi.spyOn(window, "print").mockReturnValue();
    const { user, container } = renderOrder(aPaidOrder(), "buyer");
    await findHeadline(/get your phone from/);
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
  it("enters the buyer's code, and sees the error of a wrong one at the field", async () => {
    const order = aPaidOrder();
    const path = `/bookings/${order._id}/fulfilment`;
    const { user } = renderOrder(order, "seller");
    await findHeadline("Meet Karim Uddin and hand over the phone");
    await user.type(screen.getByLabelText("Code"), "12");
    await user.click(button("Confirm the handover"));
    expect(await screen.findByText("The code has six digits")).toBeVisible();
    expect(callsTo("PUT", path)).toHaveLength(0);
    on("put", path, {
      status: 422,
      body: { message: "Wrong", code: "invalid", fields: { code: "Tries left: 4" } },
    });
    await user.clear(screen.getByLabelText("Code"));
    await user.type(screen.getByLabelText("Code"), "১২৩ \u200e4\u201156");
    await user.click(button("Confirm the handover"));
    expect(await screen.findByText("Tries left: 4")).toBeVisible();
    expect(screen.getByLabelText("Code")).toHaveValue("১২৩ \u200e4\u201156");
    expect(callsTo("PUT", path)).toMatchObject([{ body: { action: "handed", code: "123456" } }]);
  });

  it("only has to confirm after opening the link of the QR code", async () => {
    const order = aPaidOrder();
    const path = `/bookings/${order._id}/fulfilment`;
    const { user } = renderOrder(order, "seller", "#code=654321");
    await findHeadline("Meet Karim Uddin and hand over the phone");
    expect(screen.getByLabelText("Code")).toHaveValue("654321");
    await waitFor(() => expect(button("Confirm the handover")).toHaveFocus());
    expect(screen.queryByRole("form", { name: "Send the phone by post" })).toBeNull();
    on("put", path, { body: { acknowledged: true, modifiedCount: 1 } });
    await user.keyboard("{Enter}");
    await waitFor(() => expect(callsTo("PUT", path)).toMatchObject([{ body: { code: "654321" } }]));
  });

  it("enters the carrier, and reports the phone as sent after a confirmation", async () => {
    const order = aPaidOrder();
    const path = `/bookings/${order._id}/fulfilment`;
    const { user } = renderOrder(order, "seller");
    await findHeadline("Meet Karim Uddin and hand over the phone");
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

  it("corrects the tracking number while the phone is on its way; errors keep the typed number", async () => {
    const order = aPaidOrder(posted);
    const path = `/bookings/${order._id}/fulfilment`;
    const { user, store } = renderOrder(order, "seller");
    await findHeadline("The phone is on its way to Karim Uddin");
    await user.click(button("Correct the tracking number"));
    const dialog = within(screen.getByRole("dialog", { name: "Correct the tracking number" }));
    const tracking = dialog.getByLabelText("Tracking number");
    expect(dialog.getByLabelText("Carrier")).toHaveValue("DHL");
    expect(dialog.getByLabelText("Carrier")).toHaveFocus();
    expect(tracking).toHaveValue("D-1");
    await user.click(dialog.getByRole("button", { name: "Correct" }));
    expect(await dialog.findByText("Change the carrier or the tracking number")).toBeVisible();
    await waitFor(() => expect(tracking).toHaveFocus());
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
    await waitFor(() => expect(button("Correct the tracking number")).toHaveFocus());
    expect(await screen.findByText("The tracking number has been corrected.")).toBeVisible();
    expect(callsTo("PUT", path).at(-1)).toMatchObject({
      body: { action: "send", carrier: "DHL", tracking: "D-2" },
    });
    const corrected = {
      ...order,
      version: 2,
      fulfilment: { ...order.fulfilment, ...posted, tracking: "D-2" },
    };
    receiveEvents(store, anEvent("me", "booking.changed", corrected));
    expect(screen.getAllByText("DHL, number D-2")).toHaveLength(2);
    await user.click(button("Correct the tracking number"));
    expect(screen.getByLabelText("Tracking number")).toHaveValue("D-2");
  });

  it("can't correct the tracking number after the buyer has received the phone", async () => {
    const order = aPaidOrder(posted);
    const { user, store } = renderOrder(order, "seller");
    await findHeadline("The phone is on its way to Karim Uddin");
    await user.click(button("Correct the tracking number"));
    const received = { ...posted, state: "received", receivedAt: PAID_AT };
    const changed = { ...order, version: 2, fulfilment: { ...order.fulfilment, ...received } };
    receiveEvents(store, anEvent("me", "booking.changed", changed));
    const headline = await findHeadline("Karim Uddin has the phone");
    await waitFor(() => expect(headline).toHaveFocus());
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.queryByRole("button", { name: "Correct the tracking number" })).toBeNull();
  });

  it("cancels an order with a reason", async () => {
    const order = aPaidOrder({ sendBy: SETTLES_AT });
    const { user } = renderOrder(order, "seller");
    await findHeadline("Meet Karim Uddin and hand over the phone");
    on("put", `/bookings/${order._id}/fulfilment`, { body: { acknowledged: true, modifiedCount: 1 } });
    await user.click(button("Cancel this order"));
    const dialog = within(screen.getByRole("dialog", { name: "Cancel this order" }));
    await user.click(dialog.getByRole("button", { name: "Cancel this order" }));
    expect(await dialog.findByText("Say why you cannot send it")).toBeVisible();
    await user.type(dialog.getByLabelText("Why can you not send it?"), "It broke");
    await user.click(dialog.getByRole("button", { name: "Cancel this order" }));
    await waitFor(() =>
      expect(callsTo("PUT", `/bookings/${order._id}/fulfilment`)).toMatchObject([
        { body: { action: "cancel", reason: "It broke" } },
      ]),
    );
  });

  it("sees the buyer's contact details", async () => {
    renderOrder(aPaidOrder(), "seller");
    const buyer = within(await screen.findByRole("region", { name: "Buyer" }));
    expect(buyer.getByText("Karim Uddin")).toBeVisible();
    expect(screen.queryByRole("region", { name: "Seller" })).toBeNull();
  });
});

describe("the decision of an admin", () => {
  const aProblem = (overrides: Partial<Booking> = {}) =>
    aPaidOrder(
      { state: "problem", problem: "It is broken", problemAt: PAID_AT },
      { price: 170, ...overrides },
    );

  it.each([
    ["refund", {}, "Refund Karim Uddin $170"],
    ["release", {}, "Release $170 to Salma Rahman"],
    ["refund", { price: 1299 }, "Refund Karim Uddin $1,299"],
    ["refund", { delivery: "send", postage: 12 }, "Refund Karim Uddin $182"],
    ["refund", { userName: "" }, "Refund the buyer $170"],
    ["release", { seller: undefined }, "Release $170 to the seller"],
  ] as const)(
    "is sent with a kept reason by a button that names the sum and the person: %s %o",
    async (outcome, overrides, name) => {
      const order = aProblem(overrides);
      const path = `/bookings/${order._id}/fulfilment`;
      const { user } = renderOrder(order, "admin");
      on("get", "/texts", { body: { texts: ["It is broken"], version: 1 } });
      on("put", path, { body: { acknowledged: true, modifiedCount: 1 } });
      await findHeadline(/^Decide on/);
      await user.click(button(name));
      const dialog = within(screen.getByRole("dialog"));
      await user.click(dialog.getByRole("button", { name }));
      expect(dialog.getByText("Please give a reason")).toBeVisible();
      expect(callsTo("PUT", path)).toEqual([]);
      await user.click(await dialog.findByRole("button", { name: "It is broken" }));
      await user.click(dialog.getByRole("button", { name }));
      await waitFor(() =>
        expect(callsTo("PUT", path)).toMatchObject([
          { body: { action: "settle", outcome, reason: "It is broken" } },
        ]),
      );
    },
  );
});

describe("help with an order", () => {
  it.each([
    ["buyer", { state: "settled", outcome: "release", settledAt: PAID_AT }],
    ["seller", { state: "settled", outcome: "release", settledAt: PAID_AT }],
    ["buyer", { state: "settled", outcome: "refund", settledAt: PAID_AT }],
    ["buyer", { state: "waiting" }],
    ["seller", { state: "sent", carrier: "DHL", tracking: "1" }],
  ] as const)("is an email to us with the order's number: %s %o", async (side, fulfilment) => {
    const order = aPaidOrder(fulfilment);
    onConfig({ contact: { email: "help@phones.example", phone: "", location: "" } });
    renderOrder(order, side);
    await waitFor(() =>
      expect(screen.getByRole("link", { name: "Get help with this order" })).toHaveAttribute(
        "href",
        `mailto:help@phones.example?subject=Help%20with%20order%20${order._id}`,
      ),
    );
  });
});
