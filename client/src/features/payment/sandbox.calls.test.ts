import type { ConfirmCardPaymentData, Stripe } from "@stripe/stripe-js";
import { fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { JsonBodyType } from "msw";
import { describe, expect, it } from "vitest";
import { aSandboxIntent, KEY, renderCardField, startSandbox } from "@/testing/sandbox";
import { calls, on, onNetworkError, startServer } from "@/testing/server";

startServer();
startSandbox();

const user = userEvent.setup({ delay: null });
const SECRET = "pi_1_secret_2";
const intents = "/sandbox/stripe/v1/payment_intents/pi_1";

/** The request bodies that reached the sandbox, by the end of their path. */
const forms: Record<string, Record<string, string>> = {};
function onStep(step: string, body: object, status = 200): void {
  on("post", `${intents}${step}`, async (request) => {
    forms[step] = Object.fromEntries(new URLSearchParams(await request.text()));
    return { body: body as JsonBodyType, status };
  });
}

/** A card field with a complete card. */
async function renderWithCard() {
  const page = renderCardField();
  await user.click(screen.getByText("4242 4242 4242 4242"));
  const confirm = (data: ConfirmCardPaymentData = { payment_method: { card: page.card } }) =>
    page.stripe.confirmCardPayment(SECRET, data);
  return { ...page, confirm };
}

describe("confirmCardPayment", () => {
  it("sends the card in the format of Stripe's API and returns the intent", async () => {
    onStep("/confirm", aSandboxIntent("succeeded"));
    const { card, confirm } = await renderWithCard();
    const billing_details = { name: "Karim Uddin", email: "karim@example.com" };
    const result = await confirm({ payment_method: { card, billing_details } });
    expect(result).toMatchObject({ paymentIntent: { id: "pi_1", status: "succeeded" } });
    expect(forms["/confirm"]).toEqual({
      client_secret: SECRET,
      "payment_method_data[type]": "card",
      "payment_method_data[card][number]": "4242424242424242",
      "payment_method_data[card][exp_month]": "12",
      "payment_method_data[card][exp_year]": "2034",
      "payment_method_data[card][cvc]": "123",
      "payment_method_data[billing_details][name]": "Karim Uddin",
      "payment_method_data[billing_details][email]": "karim@example.com",
      "payment_method_data[billing_details][address][postal_code]": "12345",
    });
    expect(calls).toMatchObject([{ url: `${intents}/confirm`, authorization: `Bearer ${KEY}` }]);
  });

  it("returns an error of another handler as an api_error", async () => {
    onStep("/confirm", { code: "too_many_requests", message: "Too many calls at once" }, 429);
    const { confirm } = await renderWithCard();
    expect(await confirm()).toEqual({ error: { type: "api_error", message: "Too many calls at once" } });
  });

  it("accepts a payment method by its id", async () => {
    onStep("/confirm", aSandboxIntent("succeeded"));
    const { confirm } = await renderWithCard();
    await confirm({ payment_method: "pm_card_visa" });
    expect(forms["/confirm"]).toEqual({ client_secret: SECRET, payment_method: "pm_card_visa" });
  });

  it("rejects an incomplete card without a request", async () => {
    const { confirm } = await renderWithCard();
    await user.clear(screen.getByRole("textbox", { name: "Card number" }));
    expect(await confirm()).toEqual({
      error: {
        type: "validation_error",
        code: "incomplete_number",
        message: "Your card number is incomplete.",
      },
    });
    expect(calls).toHaveLength(0);
  });

  it("returns a decline unchanged, with its intent", async () => {
    const error = {
      type: "card_error",
      code: "card_declined",
      decline_code: "generic_decline",
      message: "Your card was declined.",
      payment_intent: aSandboxIntent("requires_payment_method"),
    };
    onStep("/confirm", { error }, 402);
    const { confirm } = await renderWithCard();
    expect(await confirm()).toEqual({ error });
  });

  it("returns an api_connection_error after a network error", async () => {
    onNetworkError("post", `${intents}/confirm`);
    const { confirm } = await renderWithCard();
    expect(await confirm()).toMatchObject({ error: { type: "api_connection_error" } });
  });
});

describe("3-D Secure", () => {
  /** A payment that requires authentication. */
  async function startAuthentication() {
    onStep("/confirm", aSandboxIntent("requires_action"));
    const page = await renderWithCard();
    const opener = screen.getByText("4242 4242 4242 4242");
    opener.focus();
    const result = page.confirm();
    const dialog = await screen.findByRole("dialog", { name: "3-D Secure authentication" });
    return { ...page, result, dialog, opener };
  }
  const choose = (name: string) => user.click(screen.getByRole("button", { name }));
  const failed = {
    code: "payment_intent_authentication_failure",
    type: "invalid_request_error",
    message: "We are unable to authenticate your payment method.",
  };
  const failedIntent = aSandboxIntent("requires_payment_method", { last_payment_error: failed } as object);

  it("opens a dialog with the amount, and pays when it is completed", async () => {
    const { result, dialog, opener } = await startAuthentication();
    expect(dialog).toHaveTextContent("120.00 USD");
    onStep("/authenticate", aSandboxIntent("succeeded"));
    await choose("Complete authentication");
    expect(await result).toMatchObject({ paymentIntent: { status: "succeeded" } });
    expect(forms["/authenticate"]).toEqual({ client_secret: SECRET, outcome: "complete" });
    expect(dialog).not.toBeInTheDocument();
    expect(opener).toHaveFocus();
  });

  it("fails with Stripe's code by the button, by Escape, and by navigation", async () => {
    const cancellations = [
      () => choose("Fail authentication"),
      () => fireEvent(screen.getByRole("dialog"), new Event("cancel")),
      () => window.dispatchEvent(new PopStateEvent("popstate")),
    ];
    for (const cancel of cancellations) {
      const { result } = await startAuthentication();
      onStep("/authenticate", failedIntent);
      await cancel();
      expect(await result).toMatchObject({
        error: { code: "payment_intent_authentication_failure", payment_intent: { id: "pi_1" } },
      });
      expect(forms["/authenticate"]).toMatchObject({ outcome: "fail" });
      document.body.replaceChildren();
    }
  });

  it("returns a decline that follows it", async () => {
    const { result } = await startAuthentication();
    onStep("/authenticate", { error: { type: "card_error", code: "card_declined", message: "No" } }, 402);
    await choose("Complete authentication");
    expect(await result).toMatchObject({ error: { code: "card_declined" } });
  });
});

describe("the sandbox's Stripe object", () => {
  it("retrieves an intent by its secret", async () => {
    on("get", intents, { body: aSandboxIntent("processing") as unknown as JsonBodyType });
    const { stripe } = renderCardField();
    expect(await stripe.retrievePaymentIntent(SECRET)).toMatchObject({
      paymentIntent: { status: "processing" },
    });
    expect(calls).toMatchObject([
      { url: `${intents}?client_secret=${SECRET}`, authorization: `Bearer ${KEY}` },
    ]);
  });

  it("creates a payment method from the card", async () => {
    on("post", "/sandbox/stripe/v1/payment_methods", { body: { id: "pm_1" } });
    const { stripe, card } = await renderWithCard();
    expect(await stripe.createPaymentMethod({ type: "card", card })).toMatchObject({
      paymentMethod: { id: "pm_1" },
    });
  });

  it("creates no tokens, creates one card element, and rejects a live key", async () => {
    const { stripe, card } = renderCardField();
    expect(await stripe.createToken(card)).toMatchObject({ error: { type: "invalid_request_error" } });
    const elements = stripe.elements();
    elements.create("card");
    expect(() => elements.create("card")).toThrow();
    expect(() => stripe.elements().create("iban", {} as never)).toThrow();
    const { Stripe: createStripe } = window as unknown as { Stripe: (key: string) => Stripe };
    expect(() => createStripe("pk_live_1")).toThrow("live");
  });
});
