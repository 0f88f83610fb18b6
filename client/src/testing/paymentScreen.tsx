import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import type { JsonBodyType } from "msw";
import { Route, Routes } from "react-router-dom";
import { expect } from "vitest";
import type { Booking } from "@/api/types";
import Payment from "@/features/payment/Payment";
import { aBooking, karim } from "@/testing/factories";
import { on, onConfig } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";

/** The client secret of the tests' payment intent. */
export const SECRET = "pi_1_secret_2";

/** Sets the responses for one payment; changes of `booking` are in the next response. */
export function onPayment(overrides: Partial<Booking> = {}) {
  const server = { booking: aBooking({ productName: "Nexus 5", price: 120, ...overrides }) };
  onConfig();
  on("get", `/booking/${server.booking._id}`, () => ({
    body: server.booking as unknown as JsonBodyType,
    headers: { "Live-Position": "me=e1-1" },
  }));
  on("post", "/create-payment-intent", { body: { clientSecret: SECRET } });
  on("post", "/payments", { body: { acknowledged: true, insertedId: "p1" } });
  return server;
}

/** Renders the payment screen of a booking for its buyer. */
export function renderPayment(id: string) {
  return renderScreen(
    <Routes>
      <Route path="dashboard/payment/:id" element={<Payment />} />
      <Route path="*" element={null} />
    </Routes>,
    { me: karim, at: `/dashboard/payment/${id}` },
  );
}

/** Waits for the Pay button. */
export const findPay = () => screen.findByRole("button", { name: "Pay" });

/** Renders the screen and waits until Pay is enabled. */
export async function renderReadyPayment(overrides: Partial<Booking> = {}) {
  const server = onPayment(overrides);
  const view = renderPayment(server.booking._id);
  const pay = await findPay();
  await waitFor(() => expect(pay).toBeEnabled());
  return { ...view, server, pay };
}

/** Presses Pay once it is enabled. */
export async function pressPay(user: UserEvent): Promise<HTMLElement> {
  const pay = await findPay();
  await waitFor(() => expect(pay).toBeEnabled());
  await user.click(pay);
  return pay;
}

/** Dispatches the event "online", which ends all delays, until the query succeeds: it may be dispatched before a delay begins. */
export function goOnlineUntil<T>(query: () => T): Promise<T> {
  return waitFor(() => {
    window.dispatchEvent(new Event("online"));
    return query();
  });
}

/** The spec's toast. */
export const congratulations = "Congrats! Your Payment Completed";
