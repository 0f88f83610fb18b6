import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Booking } from "@/api/types";
import { anEvent } from "@/testing/factories";
import { aPaidOrder, button, findHeadline, PAID_AT, posted, renderOrder } from "@/testing/orderScreen";
import { anAddress } from "@/testing/paymentScreen";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";
import { receiveEvents } from "@/testing/serverScreen";

startServer();

const sent = {
  delivery: "send",
  price: 450,
  postage: 12,
  addressId: "a1",
  address: anAddress,
} satisfies Partial<Booking>;
const settled = { state: "settled", outcome: "release", settledAt: PAID_AT } as const;

const delivery = () => screen.getByRole("region", { name: "Delivery" });
const findDelivery = async () => within(await screen.findByRole("region", { name: "Delivery" }));
const steps = () => screen.getAllByRole("form").map((form) => form.getAttribute("aria-label"));

describe("the delivery of an order", () => {
  it("is shown to the buyer with the address", async () => {
    renderOrder(aPaidOrder({}, sent), "buyer");
    const region = await findDelivery();
    expect(region.getByText("Sent by post")).toBeVisible();
    expect(region.getByText(/Road 11, House 4/)).toHaveTextContent("Karim Uddin Road 11, House 4 1212 Dhaka");
    expect(region.queryByRole("button")).toBeNull();
  });

  it("is shown to the seller with the address to send it to, which can be copied", async () => {
    const { user } = renderOrder(aPaidOrder({}, sent), "seller");
    const region = await findDelivery();
    expect(region.getByText("Send it to")).toBeVisible();
    const writeText = vi.spyOn(navigator.clipboard, "writeText");
    await user.click(region.getByRole("button", { name: "Copy the address" }));
    expect(await screen.findByText("Address copied")).toBeVisible();
    expect(writeText).toHaveBeenCalledWith("Karim Uddin\nRoad 11, House 4\n1212 Dhaka");
  });

  it("has no address if the two sides meet", async () => {
    renderOrder(aPaidOrder(), "seller");
    expect((await findDelivery()).getByText("Meet in person")).toBeVisible();
    expect(screen.queryByText("Send it to")).toBeNull();
  });

  it("is not shown before the payment", async () => {
    renderOrder({ ...aPaidOrder({}, sent), paid: false, status: "held", fulfilment: undefined }, "buyer");
    await findHeadline("Pay to keep this phone");
    expect(screen.queryByRole("region", { name: "Delivery" })).toBeNull();
  });

  it("keeps the address when an event comes, which has none, and does not fetch it again", async () => {
    const order = aPaidOrder({}, sent);
    const { store } = renderOrder(order, "seller");
    await findDelivery();
    await waitFor(() => expect(callsTo("GET", `/booking/${order._id}`)).toHaveLength(2));
    const { address: _, ...changed } = order;
    receiveEvents(store, anEvent("me", "booking.changed", { ...changed, version: 2 }));
    expect(within(delivery()).getByText(/Road 11, House 4/)).toBeVisible();
    expect(callsTo("GET", `/booking/${order._id}`)).toHaveLength(2);
  });

  it("says that the address was deleted after the order ended", async () => {
    renderOrder(aPaidOrder(settled, { ...sent, address: undefined }), "buyer");
    expect(
      await (await findDelivery()).findByText("The address was deleted 14 days after the order ended."),
    ).toBeVisible();
  });

  it("is shown without an address to the seller of a refunded order, and to an admin", async () => {
    const refund = { ...settled, outcome: "refund" } as const;
    const { unmount } = renderOrder(aPaidOrder(refund, { ...sent, address: undefined }), "seller");
    expect((await findDelivery()).queryByText(/address|Send it to/)).toBeNull();
    unmount();
    renderOrder(aPaidOrder(settled, { ...sent, address: undefined }), "admin");
    expect((await findDelivery()).queryByText(/address|sent to/)).toBeNull();
  });

  it("has a retry button if the address could not be loaded", async () => {
    const order = aPaidOrder({}, sent);
    const { address: _, ...listed } = order;
    const path = `/booking/${order._id}`;
    const { user } = renderOrder(order, "buyer");
    on("get", path, () =>
      callsTo("GET", path).length > 1
        ? errorResponse(400, "no")
        : { body: listed, headers: { "Live-Position": "me=e1-1" } },
    );
    const region = await findDelivery();
    expect(await region.findByText("The address could not be loaded.")).toBeVisible();
    on("get", path, { body: { ...order } });
    await user.click(region.getByRole("button", { name: "Try again" }));
    expect(await region.findByText(/Road 11, House 4/)).toBeVisible();
  });
});

it.each([
  ["send", ["Send the phone by post", "Meet Karim Uddin"]],
  ["meet", ["Meet Karim Uddin", "Send the phone by post"]],
] as const)("the seller can do both, first what the buyer has chosen: %s", async (chosen, expected) => {
  renderOrder(aPaidOrder({}, { delivery: chosen }), "seller");
  await findDelivery();
  expect(steps()).toEqual(expected);
});

it("the buyer of a phone that is sent can show the code and confirm the receipt", async () => {
  renderOrder(aPaidOrder({}, sent), "buyer");
  await findDelivery();
  expect(button("Show the handover code")).toBeEnabled();
  expect(button("I have received it")).toBeEnabled();
});

it("the summary and the receipt have the price, the postage and the total", async () => {
  const { container } = renderOrder(aPaidOrder(posted, sent), "buyer");
  await findDelivery();
  const summary = within(screen.getByRole("region", { name: "Summary" }));
  expect(summary.getByText("Total paid").nextElementSibling).toHaveTextContent("$462");
  expect(summary.getByText("Price").nextElementSibling).toHaveTextContent("$450");
  expect(summary.getByText("Postage").nextElementSibling).toHaveTextContent("$12");
  const receipt = container.querySelector("[data-receipt]");
  for (const row of ["Price$450", "Postage$12", "Total$462", "DeliverySent by post"])
    expect(receipt).toHaveTextContent(row);
});

it("the refund of an order is its total", async () => {
  renderOrder(aPaidOrder(settled, { ...sent, status: "refunded", paid: false }), "buyer");
  await findHeadline("Your money was refunded");
  expect(screen.getByText(/^\$462 went back/)).toBeVisible();
});
