import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { congratulations, online, onPayment, openPayment, pressPay } from "@/testing/paymentScreen";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";
import { anIntent, startStripe, stripe } from "@/testing/stripe";

startServer();
startStripe();

describe("what the server makes of a charge", () => {
  it("not yet seen (402): it is asked again", async () => {
    const { booking } = onPayment();
    const { user } = openPayment(booking._id);
    const notYet = { status: 402, body: { message: "Not paid yet", code: "payment_required" } };
    on("post", "/payments", () =>
      callsTo("POST", "/payments").length > 1 ? { body: { acknowledged: true, insertedId: "p1" } } : notYet,
    );
    await pressPay(user);
    expect(await screen.findByRole("heading", { name: "Your payment is being processed" })).toBeVisible();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("succeeded"));
    expect(await online(() => screen.getByText(congratulations))).toBeVisible();
  });

  it("refunded, because the phone is gone: said in its words", async () => {
    const { booking } = onPayment();
    const { user } = openPayment(booking._id);
    const message = "This phone is no longer available. Your payment has been refunded in full.";
    on("post", "/payments", { status: 409, body: { message, code: "refunded" } });
    await pressPay(user);
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.queryByText(congratulations)).toBeNull();
    expect(screen.queryByRole("button", { name: "Pay" })).toBeNull();
  });

  it("refused: said with the transaction id, tried again by the button, never paid again", async () => {
    const { booking } = onPayment();
    const { user } = openPayment(booking._id);
    on("post", "/payments", errorResponse(422, "The amount differs"));
    await pressPay(user);
    expect(await screen.findByText("The amount differs")).toBeVisible();
    expect(screen.getByText("pi_1")).toBeVisible();
    on("post", "/payments", { body: { acknowledged: true, insertedId: "p1" } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(1);
  });

  it("processing that fails in the end gives the form back with the reason", async () => {
    const { booking } = onPayment();
    const { user } = openPayment(booking._id);
    stripe.confirmCardPayment.mockResolvedValue(anIntent("processing"));
    await pressPay(user);
    expect(await screen.findByRole("heading", { name: "Your payment is being processed" })).toBeVisible();
    stripe.retrievePaymentIntent.mockResolvedValue(anIntent("requires_payment_method", "The bank said no."));
    expect(await online(() => screen.getByRole("button", { name: "Pay" }))).toBeEnabled();
    expect(screen.getByRole("alert")).toHaveTextContent("The bank said no.");
  });
});
