import { screen } from "@testing-library/react";
import type { JsonBodyType } from "msw";
import { Route, Routes } from "react-router-dom";
import type { Booking } from "@/api/types";
import Payment from "@/features/payment/Payment";
import { aBooking, karim } from "@/testing/factories";
import { on, onConfig } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";

/** The secret of the intent that the server of these tests gives. */
export const SECRET = "pi_1_secret_2";

/** The server's side of one payment; what is put into `booking` is in the next answer. */
export function onPayment(over: Partial<Booking> = {}) {
  const server = { booking: aBooking({ productName: "Nexus 5", price: 120, ...over }) };
  onConfig();
  on("get", `/booking/${server.booking._id}`, () => ({ body: server.booking as unknown as JsonBodyType }));
  on("post", "/create-payment-intent", { body: { clientSecret: SECRET } });
  on("post", "/payments", { body: { acknowledged: true, insertedId: "p1" } });
  return server;
}

/** Opens the payment screen of a booking, as its buyer. */
export function openPayment(id: string) {
  return renderScreen(
    <Routes>
      <Route path="dashboard/payment/:id" element={<Payment />} />
      <Route path="*" element={null} />
    </Routes>,
    { me: karim, at: `/dashboard/payment/${id}` },
  );
}

/** The Pay button, once it is there. */
export const findPay = () => screen.findByRole("button", { name: "Pay" });
