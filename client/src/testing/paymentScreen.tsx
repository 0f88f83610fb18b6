import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import type { JsonBodyType } from "msw";
import { Route, Routes } from "react-router-dom";
import { expect } from "vitest";
import type { Address, Booking, DeliveryRequest } from "@/api/types";
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

/** The address of the tests. */
export const anAddress: Address = {
  name: "Karim Uddin",
  street: "Road 11, House 4",
  postcode: "1212",
  town: "Dhaka",
};

/** Sets the responses for a choice of the delivery, which the fake server stores, and for the remembered address. */
export function onDelivery(server: { booking: Booking }, remembered?: Address): string {
  const { _id } = server.booking;
  const path = `/bookings/${_id}/delivery`;
  on("get", "/identity/me", { body: { ...karim, ...(remembered && { address: remembered }) } });
  on("put", path, async (request) => {
    const { delivery, address } = (await request.clone().json()) as DeliveryRequest;
    server.booking = withDelivery(server.booking, delivery, address);
    return { body: { acknowledged: true, modifiedCount: 1 } };
  });
  return path;
}

/** The next version of an order, with this delivery. */
export function withDelivery(order: Booking, delivery: Booking["delivery"], address?: Address): Booking {
  const postage = delivery === "send" ? order.sendPostage : 0;
  const version = order.version + 1;
  const { address: _, addressId: _id, ...rest } = order;
  const kept = { address: address ?? order.address, addressId: address ? `a${version}` : order.addressId };
  return {
    ...rest,
    ...(delivery === "send" && kept),
    version,
    delivery,
    postage,
    total: order.price + postage,
  };
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
