import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Booking } from "@/api/types";
import { anEvent } from "@/testing/factories";
import {
  congratulations,
  findPay,
  onPayment,
  renderPayment,
  renderReadyPayment,
} from "@/testing/paymentScreen";
import { callsTo, errorResponse, on, onNetworkError, startServer } from "@/testing/server";
import { receiveEvents } from "@/testing/serverScreen";
import { startStripe } from "@/testing/stripe";

startServer();
startStripe();

describe("an order that can't be paid", () => {
  it.each([
    [404, "There is no such booking"],
    [403, "This is another buyer's booking"],
  ])("shows the message of a %i and a link to the dashboard", async (status, message) => {
    const { booking } = onPayment();
    on("get", `/booking/${booking._id}`, errorResponse(status, message));
    renderPayment(booking._id);
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to your dashboard" })).toHaveAttribute("href", "/dashboard");
  });

  it("is fetched again by the retry button after a network error", async () => {
    const server = onPayment();
    onNetworkError("get", `/booking/${server.booking._id}`);
    const { user } = renderPayment(server.booking._id);
    expect(await screen.findByRole("alert")).toHaveTextContent("can't be reached");
    on("get", `/booking/${server.booking._id}`, { body: { ...server.booking } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await findPay()).toBeVisible();
  });

  it.each([
    ["expired", "The time to pay has run out"],
    ["cancelled", "This booking was cancelled"],
    ["refunded", "Refunded"],
  ] as const)("shows that it is %s, and no secret is requested", async (status, title) => {
    const { booking } = onPayment({ status });
    renderPayment(booking._id);
    expect(await screen.findByRole("heading", { name: title })).toBeVisible();
    expect(screen.queryByText(/Please pay/)).toBeNull();
    expect(callsTo("POST", "/create-payment-intent")).toHaveLength(0);
  });

  it("that is paid shows its transaction id, and no toast", async () => {
    const server = onPayment({ status: "paid", paid: true });
    server.booking = { ...server.booking, transactionId: "pi_7" } as Booking;
    renderPayment(server.booking._id);
    expect(await screen.findByText("pi_7")).toBeVisible();
    expect(screen.queryByText(congratulations)).toBeNull();
  });
});

describe("the open payment screen", () => {
  const receiveEvent = (store: Awaited<ReturnType<typeof renderReadyPayment>>["store"], booking: Booking) =>
    receiveEvents(store, anEvent("me", "booking.changed", booking));

  it.each([
    ["expired", "The time to pay has run out"],
    ["cancelled", "This booking was cancelled"],
    ["refunded", "Refunded"],
  ] as const)("shows that the order is %s after its event", async (status, title) => {
    const { store, server } = await renderReadyPayment();
    receiveEvent(store, { ...server.booking, version: 2, status });
    expect(screen.getByRole("heading", { name: title })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Pay" })).toBeNull();
  });

  it("shows the success of a payment in another tab", async () => {
    const { store, server } = await renderReadyPayment();
    const paid = {
      ...server.booking,
      version: 2,
      status: "paid" as const,
      paid: true,
      transactionId: "pi_7",
    };
    receiveEvent(store, paid);
    expect(screen.getByText("pi_7")).toBeVisible();
    expect(await screen.findByText(congratulations)).toBeVisible();
  });

  it("refetches the order when its hold ends, without a live connection", async () => {
    const { server } = await renderReadyPayment({ holdUntil: new Date(Date.now() + 50).toISOString() });
    server.booking = { ...server.booking, version: 2, status: "expired" };
    expect(await screen.findByRole("heading", { name: "The time to pay has run out" })).toBeVisible();
  });
});
