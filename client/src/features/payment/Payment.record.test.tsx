import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { congratulations, goOnlineUntil, onPayment, pressPay, renderPayment } from "@/testing/paymentScreen";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";
import { anIntent, startStripe, stripe } from "@/testing/stripe";

startServer();
startStripe();

describe("the record of a charge", () => {
  it("is repeated after a 402", async () => {
    const { booking } = onPayment();
    const { user } = renderPayment(booking._id);
    const notYet = { status: 402, body: { message: "Not paid yet", code: "payment_required" } };
    on("post", "/payments", () =>
      callsTo("POST", "/payments").length > 1 ? { body: { acknowledged: true, insertedId: "p1" } } : notYet,
    );
    await pressPay(user);
    expect(await screen.findByRole("heading", { name: "Your payment is being processed" })).toBeVisible();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
    expect(await goOnlineUntil(() => screen.getByText(congratulations))).toBeVisible();
  });

  it("shows the server's message if the payment was refunded", async () => {
    const { booking } = onPayment();
    const { user } = renderPayment(booking._id);
    const message = "This phone is no longer available. Your payment has been refunded in full.";
    on("post", "/payments", { status: 409, body: { message, code: "refunded" } });
    await pressPay(user);
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.queryByText(congratulations)).toBeNull();
    expect(screen.queryByRole("button", { name: "Pay" })).toBeNull();
  });

  it("shows a rejection with the transaction id, and is repeated by the retry button without a second charge", async () => {
    const { booking } = onPayment();
    const { user } = renderPayment(booking._id);
    on("post", "/payments", errorResponse(422, "The amount differs"));
    await pressPay(user);
    expect(await screen.findByText("The amount differs")).toBeVisible();
    expect(screen.getByText("pi_1")).toBeVisible();
    on("post", "/payments", { body: { acknowledged: true, insertedId: "p1" } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(1);
  });

  it("shows the form with the error if processing fails", async () => {
    const { booking } = onPayment();
    const { user } = renderPayment(booking._id);
    stripe.confirmCardPayment.mockResolvedValue(anIntent("processing"));
    await pressPay(user);
    expect(await screen.findByRole("heading", { name: "Your payment is being processed" })).toBeVisible();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("requires_payment_method", "The bank said no."));
    expect(await goOnlineUntil(() => screen.getByRole("button", { name: "Pay" }))).toBeEnabled();
    expect(screen.getByRole("alert")).toHaveTextContent("The bank said no.");
  });
});
