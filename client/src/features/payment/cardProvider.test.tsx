import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { findPay, onPayment, openPayment } from "@/testing/paymentScreen";
import { onConfig, onNetworkError, startServer } from "@/testing/server";
import { startStripe } from "@/testing/stripe";

startServer();
startStripe();

const scriptOf = (src: string) => document.querySelector<HTMLScriptElement>(`script[src^="${src}"]`);

/** The script that the page waits for; jsdom fetches none, so the test says what became of it. */
async function awaited(src: string): Promise<HTMLScriptElement> {
  await waitFor(() => expect(scriptOf(src)).not.toBeNull());
  return scriptOf(src) as HTMLScriptElement;
}

let Stripe: unknown;
beforeEach(() => {
  // Not in the page yet.
  Stripe = (window as { Stripe?: unknown }).Stripe;
  Reflect.deleteProperty(window, "Stripe");
});

const arrive = (script: HTMLScriptElement) => {
  Object.assign(window, { Stripe });
  act(() => void fireEvent.load(script));
};

it("fetches Stripe's own script with real keys; a failure is shown and tried again", async () => {
  const { booking } = onPayment();
  onConfig({ stripe: { publishableKey: "pk_test_123", sandbox: false } });
  const { user } = openPayment(booking._id);
  // Stripe's loader tries twice by itself.
  const first = await awaited("https://js.stripe.com/");
  fireEvent.error(first);
  await waitFor(() => expect(first.isConnected).toBe(false));
  fireEvent.error(await awaited("https://js.stripe.com/"));
  expect(await screen.findByText("The card form could not be loaded.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  const again = await awaited("https://js.stripe.com/");
  await waitFor(() => expect(screen.queryByText("The card form could not be loaded.")).toBeNull());
  arrive(again);
  const pay = await findPay();
  await waitFor(() => expect(pay).toBeEnabled());
});

it("fetches the sandbox's script where the page does not have it", async () => {
  const { booking } = onPayment();
  const { user } = openPayment(booking._id);
  fireEvent.error(await awaited("/sandbox/stripe/v3.js"));
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  arrive(await awaited("/sandbox/stripe/v3.js"));
  const pay = await findPay();
  await waitFor(() => expect(pay).toBeEnabled());
  expect(scriptOf("https://js.stripe.com/v3")).toBeNull();
});

it("asks for the settings again where they did not come", async () => {
  const { booking } = onPayment();
  onNetworkError("get", "/config");
  const { user } = openPayment(booking._id);
  expect(await screen.findByText("The card form could not be loaded.")).toBeVisible();
  Object.assign(window, { Stripe });
  onConfig();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  const pay = await findPay();
  await waitFor(() => expect(pay).toBeEnabled());
});
