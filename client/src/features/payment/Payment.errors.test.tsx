import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Booking } from "@/api/types";
import {
  congratulations,
  findPay,
  goOnlineUntil,
  onPayment,
  pressPay,
  renderPayment,
  SECRET,
} from "@/testing/paymentScreen";
import { callsTo, errorResponse, on, onNetworkError, startServer } from "@/testing/server";
import { anIntent, aStripeError, startStripe, stripe } from "@/testing/stripe";
import { resultUnknown } from "@/texts/payment";

startServer();
startStripe();

const charged = "Your card was charged; we are recording the payment";

describe("the client secret", () => {
  it("is requested again by the retry button after a network error", async () => {
    const { booking } = onPayment();
    onNetworkError("post", "/create-payment-intent");
    const { user } = renderPayment(booking._id);
    expect(await screen.findByRole("alert")).toHaveTextContent("can't be reached");
    on("post", "/create-payment-intent", { body: { clientSecret: SECRET } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    const pay = await findPay();
    await waitFor(() => expect(pay).toBeEnabled());
  });

  it("is refused to other users with the server's message", async () => {
    const { booking } = onPayment();
    on("post", "/create-payment-intent", errorResponse(403, "Only the buyer may pay"));
    renderPayment(booking._id);
    expect(await screen.findByText("Only the buyer may pay")).toBeVisible();
  });

  it("is refused for a paid order, which is then refetched and shown as paid", async () => {
    const server = onPayment();
    on("post", "/create-payment-intent", () => {
      const paid = { version: 2, status: "paid", paid: true, transactionId: "pi_7" };
      server.booking = { ...server.booking, ...paid } as Booking;
      return errorResponse(409, "This booking is paid");
    });
    renderPayment(server.booking._id);
    expect(await screen.findByText("pi_7")).toBeVisible();
  });
});

describe("a payment of an earlier visit to the screen", () => {
  it("that succeeded is recorded without a card form", async () => {
    const { booking } = onPayment();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
    renderPayment(booking._id);
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).not.toHaveBeenCalled();
    expect(callsTo("POST", "/payments")).toHaveLength(1);
  });

  it("that is still being processed is polled until it succeeds", async () => {
    const { booking } = onPayment();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("processing"));
    renderPayment(booking._id);
    expect(await screen.findByRole("heading", { name: "Your payment is being processed" })).toBeVisible();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
    expect(await goOnlineUntil(() => screen.getByText(congratulations))).toBeVisible();
  });

  it("whose intent was cancelled shows the refetched order", async () => {
    const server = onPayment();
    stripe.retrievePaymentIntent.mockImplementation(async () => {
      server.booking = { ...server.booking, version: 2, status: "expired" };
      return anIntent("canceled");
    });
    renderPayment(server.booking._id);
    expect(await screen.findByRole("heading", { name: "The time to pay has run out" })).toBeVisible();
  });
});

describe("a lost connection", () => {
  const networkError = aStripeError({ type: "api_connection_error", message: "Network" });

  it("to the card provider makes the next attempt check the intent before it pays", async () => {
    const { booking } = onPayment();
    const { user } = renderPayment(booking._id);
    stripe.confirmCardPayment.mockResolvedValue(networkError);
    const pay = await findPay();
    await waitFor(() => expect(pay).toBeEnabled());
    stripe.retrievePaymentIntent.mockResolvedValue(networkError);
    await user.click(pay);
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent(resultUnknown));
    expect(pay).toBeEnabled();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
    await user.click(pay);
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(1);
  });

  it("pays at the next attempt if the intent is still open", async () => {
    const { booking } = onPayment();
    const { user } = renderPayment(booking._id);
    stripe.confirmCardPayment.mockResolvedValueOnce(networkError);
    const pay = await pressPay(user);
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent(resultUnknown));
    await user.click(pay);
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(2);
  });

  it("that lost only the response shows the success of the charge", async () => {
    const { booking } = onPayment();
    const { user } = renderPayment(booking._id);
    stripe.confirmCardPayment.mockImplementation(async () => {
      stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
      throw new Error("Stripe.js failed");
    });
    await pressPay(user);
    expect(await screen.findByText(congratulations)).toBeVisible();
  });

  it("to the server after the charge is shown, and recording is repeated until it succeeds", async () => {
    const { booking } = onPayment();
    const { user } = renderPayment(booking._id);
    onNetworkError("post", "/payments");
    await pressPay(user);
    expect(await screen.findByRole("heading", { name: charged })).toBeVisible();
    expect(screen.getByText("pi_1")).toBeVisible();
    on("post", "/payments", { body: { acknowledged: true, insertedId: "p1" } });
    expect(await goOnlineUntil(() => screen.getByText(congratulations))).toBeVisible();
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(1);
  });
});

describe("a payment in two tabs", () => {
  it("is charged once: the later tab uses the status of the intent", async () => {
    const { booking } = onPayment();
    const { user } = renderPayment(booking._id);
    stripe.confirmCardPayment.mockResolvedValue(
      aStripeError({ type: "invalid_request_error", code: "payment_intent_unexpected_state" }, "succeeded"),
    );
    await pressPay(user);
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(callsTo("POST", "/payments")).toHaveLength(1);
  });

  it("fetches the status of the intent if the error does not contain it", async () => {
    const { booking } = onPayment();
    const { user } = renderPayment(booking._id);
    stripe.confirmCardPayment.mockImplementation(async () => {
      stripe.retrievePaymentIntent.mockResolvedValue(anIntent("processing"));
      return aStripeError({ type: "invalid_request_error", code: "payment_intent_unexpected_state" });
    });
    await pressPay(user);
    expect(await screen.findByRole("heading", { name: "Your payment is being processed" })).toBeVisible();
  });
});
