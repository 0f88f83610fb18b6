import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { createDeferred } from "@/testing/deferred";
import {
  congratulations,
  findPay,
  onPayment,
  renderPayment,
  renderReadyPayment,
  SECRET,
} from "@/testing/paymentScreen";
import { callsTo, type MockResponse, on, startServer } from "@/testing/server";
import { anIntent, aStripeError, startStripe, stripe } from "@/testing/stripe";

startServer();
startStripe();

describe("the payment screen", () => {
  it("has the spec's heading and text, and the order's summary", async () => {
    await renderReadyPayment({ brand: "Google" });
    expect(screen.getByRole("heading", { name: "Payment for Nexus 5" })).toBeVisible();
    expect(screen.getByText("Please pay $120 for your booking")).toBeVisible();
    const summary = within(screen.getByRole("region", { name: "Your booking" }));
    expect(summary.getByRole("img", { name: "Nexus 5" })).toBeVisible();
    expect(summary.getByText("Google")).toBeVisible();
    expect(summary.getByText("59 min left")).toBeVisible();
  });

  it("keeps Pay disabled until the secret is received", async () => {
    const server = onPayment();
    const response = createDeferred<MockResponse>();
    on("post", "/create-payment-intent", () => response.promise);
    renderPayment(server.booking._id);
    const pay = await findPay();
    await waitFor(() => expect(callsTo("POST", "/create-payment-intent")).toHaveLength(1));
    expect(pay).toBeDisabled();
    response.resolve({ body: { clientSecret: SECRET } });
    await waitFor(() => expect(pay).toBeEnabled());
    expect(callsTo("POST", "/create-payment-intent")).toMatchObject([
      { body: { price: 120, bookingId: server.booking._id }, authorization: "Bearer test-token" },
    ]);
  });

  it("pays, records the payment, and shows the transaction id", async () => {
    const confirmation = createDeferred<ReturnType<typeof anIntent>>();
    stripe.confirmCardPayment.mockReturnValue(confirmation.promise);
    const { user, pay, server } = await renderReadyPayment();
    await user.click(pay);
    expect(pay).toBeDisabled();
    expect(stripe.card?.options).toMatchObject({ disabled: true });
    confirmation.resolve(anIntent("succeeded"));
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(screen.getByText("pi_1")).toBeVisible();
    expect(screen.getByRole("link", { name: "See your order" })).toHaveAttribute(
      "href",
      `/dashboard/order/${server.booking._id}`,
    );
    expect(screen.queryByRole("button", { name: "Pay" })).toBeNull();
    expect(screen.queryByText(/Please pay|Held for you/)).toBeNull();
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

  it("makes one attempt on a double click", async () => {
    const { pay } = await renderReadyPayment();
    act(() => {
      pay.click();
      pay.click();
    });
    expect(await screen.findByText(congratulations)).toBeVisible();
    expect(stripe.confirmCardPayment).toHaveBeenCalledTimes(1);
  });

  it("shows a decline in red below the form and enables Pay again", async () => {
    stripe.confirmCardPayment.mockImplementationOnce(async () => {
      // Browsers blur a button that is disabled; jsdom does not.
      pay.blur();
      return aStripeError(
        { code: "card_declined", message: "Your card was declined." },
        "requires_payment_method",
      );
    });
    const { user, pay } = await renderReadyPayment();
    await user.click(pay);
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Your card was declined."));
    expect(screen.getByRole("alert")).toHaveClass("text-danger");
    expect(pay).toBeEnabled();
    await waitFor(() => expect(pay).toHaveFocus());
    expect(callsTo("POST", "/payments")).toHaveLength(0);
    await user.click(pay);
    expect(await screen.findByText(congratulations)).toBeVisible();
  });

  it("shows the error of the card field instead of that of an earlier attempt", async () => {
    stripe.confirmCardPayment.mockResolvedValueOnce(aStripeError({ message: "Your card was declined." }));
    const { user, pay } = await renderReadyPayment();
    act(() => stripe.card?.reportError("Your card number is invalid."));
    expect(screen.getByRole("alert")).toHaveTextContent("Your card number is invalid.");
    await user.click(pay);
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Your card was declined."));
    act(() => stripe.card?.reportError(null));
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("does nothing without a card field", async () => {
    const { user, pay } = await renderReadyPayment();
    stripe.hasCard = false;
    await user.click(pay);
    expect(pay).toBeEnabled();
    expect(stripe.confirmCardPayment).not.toHaveBeenCalled();
  });
});
