import { screen } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import type { Booking, Fulfilment, Role } from "@/api/types";
import OrderRoute from "@/app/routes/OrderRoute";
import { aBooking, karim } from "./factories";
import { on, onRole } from "./server";
import { renderScreen } from "./serverScreen";

export const PAID_AT = "2026-11-20T10:00:00Z";
export const SETTLES_AT = "2026-11-25T10:00:00Z";

/** The seller of the order. */
export const seller = {
  name: "Salma Rahman",
  email: "salma@example.com",
  phone: "+880 1711",
  location: "Dhaka",
};

/** A paid order with this fulfilment. */
export const aPaidOrder = (fulfilment: Partial<Fulfilment> = {}, overrides: Partial<Booking> = {}): Booking =>
  aBooking({
    paid: true,
    status: "paid",
    seller,
    transactionId: "pi_1",
    fulfilment: { state: "waiting", paidAt: PAID_AT, ...fulfilment },
    ...overrides,
  });

/** The fulfilment of a posted phone. */
export const posted = {
  state: "sent",
  method: "posted",
  carrier: "DHL",
  tracking: "D-1",
  sentAt: PAID_AT,
} as const;

/** Renders the page of this order for a user with this role. The fake server has the order. */
export function renderOrder(order: Booking, role: Role, hash = "") {
  onRole(karim.email, role);
  const topic = role === "admin" ? "admin" : "me";
  on("get", `/booking/${order._id}`, { body: { ...order }, headers: { "Live-Position": `${topic}=e1-1` } });
  return renderPage(order._id, hash);
}

/** Renders the page of an order; the test sets the response. */
export const renderPage = (id: string, hash = "") =>
  renderScreen(
    <Routes>
      <Route path="dashboard/order/:id" element={<OrderRoute />} />
    </Routes>,
    { me: karim, at: `/dashboard/order/${id}${hash}` },
  );

/** Waits for the headline of the next step. */
export const findHeadline = (name: string | RegExp) => screen.findByRole("heading", { level: 3, name });
export const button = (name: string) => screen.getByRole("button", { name });
