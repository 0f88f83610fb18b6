import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Booking } from "@/api/types";
import { congratulations, findPay, online, onPayment, openPayment, pressPay } from "@/testing/paymentScreen";
import { callsTo, errorResponse, on, onNetworkError, startServer } from "@/testing/server";
import { aFailure, anIntent, startStripe, stripe } from "@/testing/stripe";
import { unsure } from "@/texts/payment";

startServer();
startStripe();

const charged = "Your card was charged; we are recording the payment";

describe("the secret", () => {
  it("is asked for again by the button when the server is away", async () => {
    const { booking } = onPayment();
    onNetworkError("post", "/create-payment-intent");
    const { user } = openPayment(booking._id);
    expect(await screen.findByRole("alert")).toHaveTextContent("can't be reached");
    on("post", "/create-payment-intent", { body: { clientSecret: "pi_1_secret_2" } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    const pay = await findPay();
    await waitFor(() => expect(pay).toBeEnabled());
  });

  it("is refused to others in the server's words", async () => {
    const { booking } = onPayment();
    on("post", "/create-payment-intent", errorResponse(403, "Only the buyer may pay"));
    openPayment(booking._id);
    expect(await screen.findByText("Only the buyer may pay")).toBeVisible();
  });

  it("is refused where the order has been paid: the order is asked for again and shown as it is", async () => {
    const server = onPayment();
    on("post", "/create-payment-intent", () => {
      const paid = { version: 2, status: "paid", paid: true, transactionId: "pi_7" };
      server.booking = { ...server.booking, ...paid } as Booking;
      return errorResponse(409, "This booking is paid");
    });
    openPayment(server.booking._id);
    expect(await screen.findByText("pi_7")).toBeVisible();
  });
});

describe("a payment of an earlier visit", () => {
  it("that went through is recorded without asking for a card", async () => {
    const { booking } = onPayment();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
    openPayment(booking._id);
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).not.toHaveBeenCalled();
    expect(callsTo("POST", "/payments")).toHaveLength(1);
  });

  it("that is still being processed is waited for", async () => {
    const { booking } = onPayment();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("processing"));
    openPayment(booking._id);
    expect(await screen.findByRole("heading", { name: "Your payment is being processed" })).toBeVisible();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
    expect(await online(() => screen.getByText(congratulations))).toBeVisible();
  });

  it("whose intent was cancelled leads to the order as it is now", async () => {
    const server = onPayment();
    stripe.retrievePaymentIntent.mockImplementation(async () => {
      server.booking = { ...server.booking, version: 2, status: "expired" };
      return anIntent("canceled");
    });
    openPayment(server.booking._id);
    expect(await screen.findByRole("heading", { name: "The time to pay has run out" })).toBeVisible();
  });
});

describe("a lost connection", () => {
  const lost = aFailure({ type: "api_connection_error", message: "Network" });

  it("to the card provider leaves it open; the next press looks before it pays", async () => {
    const { booking } = onPayment();
    const { user } = openPayment(booking._id);
    stripe.confirmCardPayment.mockResolvedValue(lost);
    const pay = await findPay();
    await waitFor(() => expect(pay).toBeEnabled());
    stripe.retrievePaymentIntent.mockResolvedValue(lost);
    await user.click(pay);
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent(unsure));
    expect(pay).toBeEnabled();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
    await user.click(pay);
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(1);
  });

  it("pays at the next press where the look finds nothing paid", async () => {
    const { booking } = onPayment();
    const { user } = openPayment(booking._id);
    stripe.confirmCardPayment.mockResolvedValueOnce(lost);
    const pay = await pressPay(user);
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent(unsure));
    await user.click(pay);
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(2);
  });

  it("that only lost the answer does not hide the charge", async () => {
    const { booking } = onPayment();
    const { user } = openPayment(booking._id);
    stripe.confirmCardPayment.mockImplementation(async () => {
      stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
      throw new Error("Stripe.js fell over");
    });
    await pressPay(user);
    expect(await screen.findByText(congratulations)).toBeVisible();
  });

  it("to the server after the charge is told, and recording goes on until it is done", async () => {
    const { booking } = onPayment();
    const { user } = openPayment(booking._id);
    onNetworkError("post", "/payments");
    await pressPay(user);
    expect(await screen.findByRole("heading", { name: charged })).toBeVisible();
    expect(screen.getByText("pi_1")).toBeVisible();
    on("post", "/payments", { body: { acknowledged: true, insertedId: "p1" } });
    expect(await online(() => screen.getByText(congratulations))).toBeVisible();
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(1);
  });
});

describe("two windows", () => {
  it("end with one charge: the later one takes the intent as it is", async () => {
    const { booking } = onPayment();
    const { user } = openPayment(booking._id);
    stripe.confirmCardPayment.mockResolvedValue(
      aFailure({ type: "invalid_request_error", code: "payment_intent_unexpected_state" }, "succeeded"),
    );
    await pressPay(user);
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(callsTo("POST", "/payments")).toHaveLength(1);
  });

  it("asks for the status of the intent if the refusal does not contain it", async () => {
    const { booking } = onPayment();
    const { user } = openPayment(booking._id);
    stripe.confirmCardPayment.mockImplementation(async () => {
      stripe.retrievePaymentIntent.mockResolvedValue(anIntent("processing"));
      return aFailure({ type: "invalid_request_error", code: "payment_intent_unexpected_state" });
    });
    await pressPay(user);
    expect(await screen.findByRole("heading", { name: "Your payment is being processed" })).toBeVisible();
  });
});
