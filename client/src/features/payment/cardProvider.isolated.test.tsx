import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { findPay, onPayment, renderPayment } from "@/testing/paymentScreen";
import { onConfig, onNetworkError, startServer } from "@/testing/server";
import { startStripe } from "@/testing/stripe";

startServer();
startStripe();

const scriptOf = (src: string) => document.querySelector<HTMLScriptElement>(`script[src^="${src}"]`);

/** The script element, once it is in the document; jsdom does not load it, so the test dispatches its events. */
async function findScript(src: string): Promise<HTMLScriptElement> {
  await waitFor(() => expect(scriptOf(src)).not.toBeNull());
  return scriptOf(src) as HTMLScriptElement;
}

let Stripe: unknown;
beforeEach(() => {
  // Stripe.js is not loaded yet.
  Stripe = (window as { Stripe?: unknown }).Stripe;
  Reflect.deleteProperty(window, "Stripe");
});

const loadScript = (script: HTMLScriptElement) => {
  Object.assign(window, { Stripe });
  act(() => void fireEvent.load(script));
};

it("the card provider loads Stripe's own script with a real key, and shows a failure with a retry button", async () => {
  const { booking } = onPayment();
  onConfig({ stripe: { publishableKey: "pk_test_123", sandbox: false } });
  const { user } = renderPayment(booking._id);
  // Stripe's loader makes a second attempt by itself.
  const first = await findScript("https://js.stripe.com/");
  fireEvent.error(first);
  await waitFor(() => expect(first.isConnected).toBe(false));
  fireEvent.error(await findScript("https://js.stripe.com/"));
  expect(await screen.findByText("The card form could not be loaded.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  const retried = await findScript("https://js.stripe.com/");
  await waitFor(() => expect(screen.queryByText("The card form could not be loaded.")).toBeNull());
  loadScript(retried);
  const pay = await findPay();
  await waitFor(() => expect(pay).toBeEnabled());
});

it("the card provider loads the sandbox's script if the page does not contain it", async () => {
  const { booking } = onPayment();
  const { user } = renderPayment(booking._id);
  fireEvent.error(await findScript("/sandbox/stripe/v3.js"));
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  loadScript(await findScript("/sandbox/stripe/v3.js"));
  const pay = await findPay();
  await waitFor(() => expect(pay).toBeEnabled());
  expect(scriptOf("https://js.stripe.com/v3")).toBeNull();
});

it("the card provider fetches the settings again after a failure", async () => {
  const { booking } = onPayment();
  onNetworkError("get", "/config");
  const { user } = renderPayment(booking._id);
  expect(await screen.findByText("The card form could not be loaded.")).toBeVisible();
  Object.assign(window, { Stripe });
  onConfig();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  const pay = await findPay();
  await waitFor(() => expect(pay).toBeEnabled());
});
