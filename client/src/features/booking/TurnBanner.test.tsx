import { act, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { eventsReceived } from "@/api/liveActions";
import { useRole } from "@/api/role";
import type { Booking } from "@/api/types";
import { aBooking, anEvent, karim } from "@/testing/factories";
import { callsTo, onList, onRole, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import { TurnBanner } from "./TurnBanner";

startServer();

function Screen() {
  useRole();
  return <TurnBanner />;
}

async function renderBanner(orders: Booking[], at = "/") {
  onRole(karim.email, "buyer");
  onList("/bookings", "me", orders);
  const before = callsTo("GET", "/bookings").length;
  const view = renderScreen(<Screen />, { me: karim, at });
  await waitFor(() => expect(callsTo("GET", "/bookings")).toHaveLength(before + 1));
  await act(async () => undefined);
  return view;
}

const aTurn = (overrides: Partial<Booking> = {}) =>
  aBooking({ productName: "Pixel 6", turn: true, ...overrides });
const banner = () => screen.queryByRole("region", { name: "It's your turn" });

it("appears when the buyer's turn begins, links to the payment, and disappears when the order is paid", async () => {
  // If Date alone stood still, the client would take it for a clock that was set back.
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: new Date("2026-11-25T08:00:00") });
  const { store } = await renderBanner([]);
  expect(banner()).toBeNull();
  const turn = aTurn({ holdUntil: new Date("2026-11-25T08:15:00").toISOString() });
  const receive = (booking: Booking) =>
    act(async () => void store.dispatch(eventsReceived([anEvent("me", "booking.changed", booking)])));
  await receive(turn);
  await waitFor(() => expect(banner()).toHaveTextContent("Pixel 6 is booked for you until 08:15"));
  expect(banner()).toHaveTextContent("15 min left");
  expect(screen.getByRole("link", { name: "Pay for Pixel 6" })).toHaveAttribute(
    "href",
    `/dashboard/payment/${turn._id}`,
  );
  expect(await screen.findByText(/^It's your turn: Pixel 6 is booked/)).toBeInTheDocument();
  await receive({ ...turn, version: 2, status: "paid", paid: true });
  await waitFor(() => expect(banner()).toBeNull());
});

it("is shown after a reload until it is dismissed, and stays dismissed after the next reload", async () => {
  const turn = aTurn();
  const first = await renderBanner([turn]);
  await waitFor(() => expect(banner()).toBeVisible());
  await first.user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(banner()).toBeNull();
  first.unmount();
  await renderBanner([turn]);
  expect(banner()).toBeNull();
});

it("is not shown on the screen of its payment, nor for a booking without a waitlist", async () => {
  const turn = aTurn();
  const { unmount } = await renderBanner([turn], `/dashboard/payment/${turn._id}`);
  expect(banner()).toBeNull();
  unmount();
  await renderBanner([aBooking()]);
  expect(banner()).toBeNull();
});
