import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { liveApplied } from "@/api/liveActions";
import type { Booking } from "@/api/types";
import { anEvent } from "@/testing/factories";
import { findPay, onPayment, openPayment, SECRET } from "@/testing/paymentScreen";
import { callsTo, on, refusal, startServer, unreachable } from "@/testing/server";
import { aFailure, anIntent, startStripe, stripe } from "@/testing/stripe";

startServer();
startStripe();

/** The screen with Pay ready to be pressed. */
async function ready(over: Partial<Booking> = {}) {
  const server = onPayment(over);
  const view = openPayment(server.booking._id);
  const pay = await findPay();
  await waitFor(() => expect(pay).toBeEnabled());
  return { ...view, server, pay };
}

const congratulations = "Congrats! Your Payment Completed";

describe("the payment screen", () => {
  it("has the spec's heading and text, and what is being paid for", async () => {
    await ready({ brand: "Google" });
    expect(screen.getByRole("heading", { name: "Payment for Nexus 5" })).toBeVisible();
    expect(screen.getByText("Please pay $120 for your booking")).toBeVisible();
    const summary = within(screen.getByRole("region", { name: "Your booking" }));
    expect(summary.getByRole("img", { name: "Nexus 5" })).toBeVisible();
    expect(summary.getByText("Google")).toBeVisible();
    expect(summary.getByText("59 min left")).toBeVisible();
  });

  it("keeps Pay disabled until the secret is there", async () => {
    const server = onPayment();
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    on("post", "/create-payment-intent", async () => {
      await asked;
      return { body: { clientSecret: SECRET } };
    });
    openPayment(server.booking._id);
    const pay = await findPay();
    await waitFor(() => expect(callsTo("POST", "/create-payment-intent")).toHaveLength(1));
    expect(pay).toBeDisabled();
    answer();
    await waitFor(() => expect(pay).toBeEnabled());
    expect(callsTo("POST", "/create-payment-intent")).toMatchObject([
      { body: { price: 120, bookingId: server.booking._id }, authorization: "Bearer test-token" },
    ]);
  });

  it("pays, records the payment, and shows the transaction id", async () => {
    let confirm: () => void = () => undefined;
    const confirmed = new Promise<void>((resolve) => {
      confirm = resolve;
    });
    stripe.confirmCardPayment.mockReturnValue(confirmed.then(() => anIntent("succeeded")));
    const { user, pay, server } = await ready();
    await user.click(pay);
    expect(pay).toBeDisabled();
    expect(stripe.card?.options).toMatchObject({ disabled: true });
    confirm();
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(screen.getByText("pi_1")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Pay" })).toBeNull();
    expect(screen.queryByText(/Please pay/)).toBeNull();
    expect(callsTo("POST", "/payments")).toMatchObject([
      {
        body: {
          price: 120,
          transactionId: "pi_1",
          email: "karim@example.com",
          bookingId: server.booking._id,
        },
      },
    ]);
    expect(stripe.confirmCardPayment.mock.calls).toMatchObject([
      [SECRET, { payment_method: { billing_details: { name: "Karim Uddin", email: "karim@example.com" } } }],
    ]);
  });

  it("makes one attempt of a double click", async () => {
    const { pay } = await ready();
    act(() => {
      pay.click();
      pay.click();
    });
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(1);
  });

  it("shows a decline in red under the form and lets Pay be pressed again", async () => {
    stripe.confirmCardPayment.mockResolvedValueOnce(
      aFailure({ code: "card_declined", message: "Your card was declined." }, "requires_payment_method"),
    );
    const { user, pay } = await ready();
    await user.click(pay);
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Your card was declined."));
    expect(screen.getByRole("alert")).toHaveClass("text-danger");
    expect(pay).toBeEnabled();
    expect(pay).toHaveFocus();
    expect(callsTo("POST", "/payments")).toHaveLength(0);
    await user.click(pay);
    expect(await screen.findByText(congratulations)).toBeVisible();
  });

  it("shows what the card field says of the card, and no longer of an earlier attempt", async () => {
    stripe.confirmCardPayment.mockResolvedValueOnce(aFailure({ message: "Your card was declined." }));
    const { user, pay } = await ready();
    act(() => stripe.card?.says("Your card number is invalid."));
    expect(screen.getByRole("alert")).toHaveTextContent("Your card number is invalid.");
    await user.click(pay);
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Your card was declined."));
    act(() => stripe.card?.says(null));
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("does nothing when the card field is missing", async () => {
    const { user, pay } = await ready();
    stripe.hasCard = false;
    await user.click(pay);
    expect(pay).toBeEnabled();
    expect(stripe.confirmCardPayment).not.toHaveBeenCalled();
  });
});

describe("an order that is not to be paid here", () => {
  it.each([
    [404, "There is no such booking"],
    [403, "This booking is somebody else's"],
  ])("is told of a %i, with the way to My Orders", async (status, words) => {
    const { booking } = onPayment();
    on("get", `/booking/${booking._id}`, refusal(status, words));
    openPayment(booking._id);
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to My Orders" })).toHaveAttribute(
      "href",
      "/dashboard/myOrders",
    );
  });

  it("is asked for again when the server is away", async () => {
    const server = onPayment();
    unreachable("get", `/booking/${server.booking._id}`);
    const { user } = openPayment(server.booking._id);
    expect(await screen.findByRole("alert")).toHaveTextContent("can't be reached");
    on("get", `/booking/${server.booking._id}`, { body: { ...server.booking } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await findPay()).toBeVisible();
  });

  it.each([
    ["expired", "The time to pay is over"],
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
  const tell = (store: Awaited<ReturnType<typeof ready>>["store"], booking: Booking) =>
    act(() => void store.dispatch(liveApplied([anEvent("me", "booking.changed", booking)])));

  it.each([
    ["expired", "The time to pay is over"],
    ["cancelled", "This booking was cancelled"],
    ["refunded", "Refunded"],
  ] as const)("tells that the order is %s", async (status, title) => {
    const { store, server } = await ready();
    tell(store, { ...server.booking, version: 2, status });
    expect(screen.getByRole("heading", { name: title })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Pay" })).toBeNull();
  });

  it("shows the success that another window had", async () => {
    const { store, server } = await ready();
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
    const { server } = await ready({ holdUntil: new Date(Date.now() + 50).toISOString() });
    server.booking = { ...server.booking, version: 2, status: "expired" };
    expect(await screen.findByRole("heading", { name: "The time to pay is over" })).toBeVisible();
  });
});
