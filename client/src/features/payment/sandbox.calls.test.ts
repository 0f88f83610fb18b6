import type { ConfirmCardPaymentData, Stripe } from "@stripe/stripe-js";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { JsonBodyType } from "msw";
import { describe, expect, it } from "vitest";
import { anIntentOf, aPage, KEY, startSandbox } from "@/testing/sandbox";
import { calls, on, onNetworkError, startServer } from "@/testing/server";

startServer();
startSandbox();

const user = userEvent.setup({ delay: null });
const SECRET = "pi_1_secret_2";
const intents = "/sandbox/stripe/v1/payment_intents/pi_1";

/** Forms that reached the sandbox, by the end of their path. */
const forms: Record<string, Record<string, string>> = {};
function answer(step: string, body: object, status = 200): void {
  on("post", `${intents}${step}`, async (request) => {
    forms[step] = Object.fromEntries(new URLSearchParams(await request.text()));
    return { body: body as JsonBodyType, status };
  });
}

/** A page with a whole card in its field. */
async function paying() {
  const page = aPage();
  await user.click(screen.getByText("4242 4242 4242 4242"));
  const confirm = (data: ConfirmCardPaymentData = { payment_method: { card: page.card } }) =>
    page.stripe.confirmCardPayment(SECRET, data);
  return { ...page, confirm };
}

describe("confirmCardPayment", () => {
  it("sends the card as Stripe's API takes it and hands the intent back", async () => {
    answer("/confirm", anIntentOf("succeeded"));
    const { card, confirm } = await paying();
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

  it("takes a refusal that is not the sandbox's for an error too", async () => {
    answer("/confirm", { code: "too_many_requests", message: "Too many calls at once" }, 429);
    const { confirm } = await paying();
    expect(await confirm()).toEqual({ error: { type: "api_error", message: "Too many calls at once" } });
  });

  it("takes a payment method by its name", async () => {
    answer("/confirm", anIntentOf("succeeded"));
    const { confirm } = await paying();
    await confirm({ payment_method: "pm_card_visa" });
    expect(forms["/confirm"]).toEqual({ client_secret: SECRET, payment_method: "pm_card_visa" });
  });

  it("refuses a card that lacks something without calling", async () => {
    const { card, confirm } = await paying();
    card.clear();
    expect(await confirm()).toEqual({
      error: {
        type: "validation_error",
        code: "incomplete_number",
        message: "Your card number is incomplete.",
      },
    });
    expect(calls).toHaveLength(0);
  });

  it("hands a decline on as it comes, its intent included", async () => {
    const error = {
      type: "card_error",
      code: "card_declined",
      decline_code: "generic_decline",
      message: "Your card was declined.",
      payment_intent: anIntentOf("requires_payment_method"),
    };
    answer("/confirm", { error }, 402);
    const { confirm } = await paying();
    expect(await confirm()).toEqual({ error });
  });

  it("says that nobody could be reached", async () => {
    onNetworkError("post", `${intents}/confirm`);
    const { confirm } = await paying();
    expect(await confirm()).toMatchObject({ error: { type: "api_connection_error" } });
  });
});

describe("3-D Secure", () => {
  /** A payment for which the bank asks. */
  async function asked() {
    answer("/confirm", anIntentOf("requires_action"));
    const page = await paying();
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
  const failedIntent = anIntentOf("requires_payment_method", { last_payment_error: failed } as object);

  it("asks in a dialog, says how much, and pays once it is complete", async () => {
    const { result, dialog, opener } = await asked();
    expect(dialog).toHaveTextContent("120.00 USD");
    answer("/authenticate", anIntentOf("succeeded"));
    await choose("Complete authentication");
    expect(await result).toMatchObject({ paymentIntent: { status: "succeeded" } });
    expect(forms["/authenticate"]).toEqual({ client_secret: SECRET, outcome: "complete" });
    expect(dialog).not.toBeInTheDocument();
    expect(opener).toHaveFocus();
  });

  it("fails with Stripe's code, by the button, by Escape, and by leaving the page", async () => {
    const ways = [
      () => choose("Fail authentication"),
      () => fireEvent(screen.getByRole("dialog"), new Event("cancel")),
      () => window.dispatchEvent(new PopStateEvent("popstate")),
    ];
    for (const way of ways) {
      const { result } = await asked();
      answer("/authenticate", failedIntent);
      await way();
      expect(await result).toMatchObject({
        error: { code: "payment_intent_authentication_failure", payment_intent: { id: "pi_1" } },
      });
      expect(forms["/authenticate"]).toMatchObject({ outcome: "fail" });
      document.body.replaceChildren();
    }
  });

  it("hands on a decline that follows it", async () => {
    const { result } = await asked();
    answer("/authenticate", { error: { type: "card_error", code: "card_declined", message: "No" } }, 402);
    await choose("Complete authentication");
    expect(await result).toMatchObject({ error: { code: "card_declined" } });
  });

  it("is left to the page where it says so, and taken up by handleNextAction", async () => {
    answer("/confirm", anIntentOf("requires_action"));
    const { stripe, card } = await paying();
    const method = { payment_method: { card } };
    const left = await stripe.confirmCardPayment(SECRET, method, { handleActions: false });
    expect(left).toMatchObject({ paymentIntent: { status: "requires_action" } });
    on("get", intents, { body: anIntentOf("requires_action") as unknown as JsonBodyType });
    answer("/authenticate", anIntentOf("succeeded"));
    const result = stripe.handleNextAction({ clientSecret: SECRET });
    await waitFor(() => expect(screen.getByRole("dialog")).toBeInTheDocument());
    await choose("Complete authentication");
    expect(await result).toMatchObject({ paymentIntent: { status: "succeeded" } });
  });
});

describe("the other calls", () => {
  it("retrieves an intent by its secret", async () => {
    on("get", intents, { body: anIntentOf("processing") as unknown as JsonBodyType });
    const { stripe } = aPage();
    expect(await stripe.retrievePaymentIntent(SECRET)).toMatchObject({
      paymentIntent: { status: "processing" },
    });
    expect(calls).toMatchObject([
      { url: `${intents}?client_secret=${SECRET}`, authorization: `Bearer ${KEY}` },
    ]);
  });

  it("makes a payment method of the card", async () => {
    on("post", "/sandbox/stripe/v1/payment_methods", { body: { id: "pm_1" } });
    const { stripe, card } = await paying();
    expect(await stripe.createPaymentMethod({ type: "card", card })).toMatchObject({
      paymentMethod: { id: "pm_1" },
    });
  });

  it("makes no tokens, has one card element, and takes no live key", async () => {
    const { stripe, card } = aPage();
    expect(await stripe.createToken(card)).toMatchObject({ error: { type: "invalid_request_error" } });
    const elements = stripe.elements();
    elements.create("card");
    expect(() => elements.create("card")).toThrow();
    expect(() => stripe.elements().create("iban", {} as never)).toThrow();
    const { Stripe: make } = window as unknown as { Stripe: (key: string) => Stripe };
    expect(() => make("pk_live_1")).toThrow("live");
  });
});
