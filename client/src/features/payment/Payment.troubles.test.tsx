import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Booking } from "@/api/types";
import { findPay, onPayment, openPayment } from "@/testing/paymentScreen";
import { callsTo, on, refusal, startServer, unreachable } from "@/testing/server";
import { aFailure, anIntent, startStripe, stripe } from "@/testing/stripe";
import { UNSURE } from "./verdict";

startServer();
startStripe();

const congratulations = "Congrats! Your Payment Completed";
const charged = "Your card was charged; we are recording the payment";

function open(over: Partial<Booking> = {}) {
  const server = onPayment(over);
  return { server, start: () => openPayment(server.booking._id) };
}

async function press(user: ReturnType<typeof openPayment>["user"]) {
  const pay = await findPay();
  await waitFor(() => expect(pay).toBeEnabled());
  await user.click(pay);
  return pay;
}

/** The line is back: what waits tries again at once. */
const online = () => window.dispatchEvent(new Event("online"));

describe("the secret", () => {
  it("is asked for again by the button when the server is away", async () => {
    const { start } = open();
    unreachable("post", "/create-payment-intent");
    const { user } = start();
    expect(await screen.findByRole("alert")).toHaveTextContent("can't be reached");
    on("post", "/create-payment-intent", { body: { clientSecret: "pi_1_secret_2" } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    const pay = await findPay();
    await waitFor(() => expect(pay).toBeEnabled());
  });

  it("is refused to others in the server's words", async () => {
    const { start } = open();
    on("post", "/create-payment-intent", refusal(403, "Only the buyer may pay"));
    start();
    expect(await screen.findByText("Only the buyer may pay")).toBeVisible();
  });

  it("is refused where the order has been paid: the order is asked for again and shown as it is", async () => {
    const { server, start } = open();
    on("post", "/create-payment-intent", () => {
      const paid = { version: 2, status: "paid", paid: true, transactionId: "pi_7" };
      server.booking = { ...server.booking, ...paid } as Booking;
      return refusal(409, "This booking is paid");
    });
    start();
    expect(await screen.findByText("pi_7")).toBeVisible();
  });
});

describe("a payment of an earlier visit", () => {
  it("that went through is recorded without asking for a card", async () => {
    const { start } = open();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
    start();
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).not.toHaveBeenCalled();
    expect(callsTo("POST", "/payments")).toHaveLength(1);
  });

  it("that is still being processed is waited for", async () => {
    const { start } = open();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("processing"));
    start();
    expect(await screen.findByRole("heading", { name: "Your payment is being processed" })).toBeVisible();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
    online();
    expect(await screen.findByText(congratulations)).toBeVisible();
  });

  it("whose intent was cancelled leads to the order as it is now", async () => {
    const { server, start } = open();
    stripe.retrievePaymentIntent.mockImplementation(async () => {
      server.booking = { ...server.booking, version: 2, status: "expired" };
      return anIntent("canceled");
    });
    start();
    expect(await screen.findByRole("heading", { name: "The time to pay is over" })).toBeVisible();
  });
});

describe("a lost connection", () => {
  const lost = aFailure({ type: "api_connection_error", message: "Network" });

  it("to the card provider leaves it open; the next press looks before it pays", async () => {
    const { start } = open();
    const { user } = start();
    stripe.confirmCardPayment.mockResolvedValue(lost);
    const pay = await findPay();
    await waitFor(() => expect(pay).toBeEnabled());
    stripe.retrievePaymentIntent.mockResolvedValue(lost);
    await user.click(pay);
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent(UNSURE));
    expect(pay).toBeEnabled();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
    await user.click(pay);
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(1);
  });

  it("pays at the next press where the look finds nothing paid", async () => {
    const { start } = open();
    const { user } = start();
    stripe.confirmCardPayment.mockResolvedValueOnce(lost);
    const pay = await press(user);
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent(UNSURE));
    await user.click(pay);
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(2);
  });

  it("that only lost the answer does not hide the charge", async () => {
    const { start } = open();
    const { user } = start();
    stripe.confirmCardPayment.mockImplementation(async () => {
      stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
      throw new Error("Stripe.js fell over");
    });
    await press(user);
    expect(await screen.findByText(congratulations)).toBeVisible();
  });

  it("to the server after the charge is told, and recording goes on until it is done", async () => {
    const { start } = open();
    const { user } = start();
    unreachable("post", "/payments");
    await press(user);
    expect(await screen.findByRole("heading", { name: charged })).toBeVisible();
    expect(screen.getByText("pi_1")).toBeVisible();
    on("post", "/payments", { body: { acknowledged: true, insertedId: "p1" } });
    online();
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(1);
  });
});

describe("two windows", () => {
  it("end with one charge: the later one takes the intent as it is", async () => {
    const { start } = open();
    const { user } = start();
    stripe.confirmCardPayment.mockResolvedValue(
      aFailure({ type: "invalid_request_error", code: "payment_intent_unexpected_state" }, "succeeded"),
    );
    await press(user);
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(callsTo("POST", "/payments")).toHaveLength(1);
  });

  it("asks how the intent stands where the refusal does not say it", async () => {
    const { start } = open();
    const { user } = start();
    stripe.confirmCardPayment.mockImplementation(async () => {
      stripe.retrievePaymentIntent.mockResolvedValue(anIntent("processing"));
      return aFailure({ type: "invalid_request_error", code: "payment_intent_unexpected_state" });
    });
    await press(user);
    expect(await screen.findByRole("heading", { name: "Your payment is being processed" })).toBeVisible();
  });
});

describe("what the server makes of a charge", () => {
  it("not yet seen (402): it is asked again", async () => {
    const { start } = open();
    const { user } = start();
    const notYet = { status: 402, body: { message: "Not paid yet", code: "payment_required" } };
    on("post", "/payments", () =>
      callsTo("POST", "/payments").length > 1 ? { body: { acknowledged: true, insertedId: "p1" } } : notYet,
    );
    await press(user);
    expect(await screen.findByRole("heading", { name: "Your payment is being processed" })).toBeVisible();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
    online();
    expect(await screen.findByText(congratulations)).toBeVisible();
  });

  it("refunded, because the phone is gone: said in its words", async () => {
    const { start } = open();
    const { user } = start();
    const message = "This phone is no longer available. Your payment has been refunded in full.";
    on("post", "/payments", { status: 409, body: { message, code: "refunded" } });
    await press(user);
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.queryByText(congratulations)).toBeNull();
    expect(screen.queryByRole("button", { name: "Pay" })).toBeNull();
  });

  it("refused: said with the transaction id, tried again by the button, never paid again", async () => {
    const { start } = open();
    const { user } = start();
    on("post", "/payments", refusal(422, "The amount differs"));
    await press(user);
    expect(await screen.findByText("The amount differs")).toBeVisible();
    expect(screen.getByText("pi_1")).toBeVisible();
    on("post", "/payments", { body: { acknowledged: true, insertedId: "p1" } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(1);
  });

  it("processing that fails in the end gives the form back with the reason", async () => {
    const { start } = open();
    const { user } = start();
    stripe.confirmCardPayment.mockResolvedValue(anIntent("processing"));
    await press(user);
    expect(await screen.findByRole("heading", { name: "Your payment is being processed" })).toBeVisible();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("requires_payment_method", "The bank said no."));
    online();
    const pay = await findPay();
    expect(pay).toBeEnabled();
    expect(screen.getByRole("alert")).toHaveTextContent("The bank said no.");
  });
});
