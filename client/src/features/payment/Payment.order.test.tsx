import { act, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { eventsReceived } from "@/api/liveActions";
import type { Booking } from "@/api/types";
import { anEvent } from "@/testing/factories";
import { congratulations, findPay, onPayment, openPayment, readyPayment } from "@/testing/paymentScreen";
import { callsTo, errorResponse, on, onNetworkError, startServer } from "@/testing/server";
import { startStripe } from "@/testing/stripe";

startServer();
startStripe();

describe("an order that is not to be paid here", () => {
  it.each([
    [404, "There is no such booking"],
    [403, "This booking is somebody else's"],
  ])("is told of a %i, with the way on", async (status, words) => {
    const { booking } = onPayment();
    on("get", `/booking/${booking._id}`, errorResponse(status, words));
    openPayment(booking._id);
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to your dashboard" })).toHaveAttribute("href", "/dashboard");
  });

  it("is asked for again when the server is away", async () => {
    const server = onPayment();
    onNetworkError("get", `/booking/${server.booking._id}`);
    const { user } = openPayment(server.booking._id);
    expect(await screen.findByRole("alert")).toHaveTextContent("can't be reached");
    on("get", `/booking/${server.booking._id}`, { body: { ...server.booking } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await findPay()).toBeVisible();
  });

  it.each([
    ["expired", "The time to pay has run out"],
    ["cancelled", "This booking was cancelled"],
    ["refunded", "Refunded"],
  ] as const)("says that it is %s and asks for no secret", async (status, title) => {
    const { booking } = onPayment({ status });
    openPayment(booking._id);
    expect(await screen.findByRole("heading", { name: title })).toBeVisible();
    expect(screen.queryByText(/Please pay/)).toBeNull();
    expect(callsTo("POST", "/create-payment-intent")).toHaveLength(0);
  });

  it("shows a paid one with its transaction id, without congratulating again", async () => {
    const server = onPayment({ status: "paid", paid: true });
    server.booking = { ...server.booking, transactionId: "pi_7" } as Booking;
    openPayment(server.booking._id);
    expect(await screen.findByText("pi_7")).toBeVisible();
    expect(screen.queryByText(congratulations)).toBeNull();
  });
});

describe("while the screen is open", () => {
  const tell = (store: Awaited<ReturnType<typeof readyPayment>>["store"], booking: Booking) =>
    act(() => void store.dispatch(eventsReceived([anEvent("me", "booking.changed", booking)])));

  it.each([
    ["expired", "The time to pay has run out"],
    ["cancelled", "This booking was cancelled"],
    ["refunded", "Refunded"],
  ] as const)("tells that the order is %s", async (status, title) => {
    const { store, server } = await readyPayment();
    tell(store, { ...server.booking, version: 2, status });
    expect(screen.getByRole("heading", { name: title })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Pay" })).toBeNull();
  });

  it("shows the success that another window had", async () => {
    const { store, server } = await readyPayment();
    const paid = {
      ...server.booking,
      version: 2,
      status: "paid" as const,
      paid: true,
      transactionId: "pi_7",
    };
    tell(store, paid);
    expect(screen.getByText("pi_7")).toBeVisible();
    expect(await screen.findByText(congratulations)).toBeVisible();
  });

  it("asks for the order at its deadline, should live be away just then", async () => {
    const { server } = await readyPayment({ holdUntil: new Date(Date.now() + 50).toISOString() });
    server.booking = { ...server.booking, version: 2, status: "expired" };
    expect(await screen.findByRole("heading", { name: "The time to pay has run out" })).toBeVisible();
  });
});
