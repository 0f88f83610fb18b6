import { act, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { useOwnBookings } from "@/api/bookings";
import { eventsReceived } from "@/api/liveActions";
import { useRole } from "@/api/role";
import type { Booking, Product, Role } from "@/api/types";
import { useOwnWaits } from "@/api/waitlist";
import { aBooking, anEvent, aProduct, aWait, karim } from "@/testing/factories";
import { callsTo, onList, onRole, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import { clock } from "@/texts/language";
import { BookingControl } from "./BookingControl";

startServer();

const phone = aProduct();

function Screen({ product, onBookOrWait }: { product: Product; onBookOrWait: () => void }) {
  useRole();
  useOwnBookings();
  useOwnWaits();
  return <BookingControl product={product} onBookOrWait={onBookOrWait} />;
}

async function renderControl(role: Role, product: Product, orders: Booking[] = []) {
  onRole(karim.email, role);
  onList("/bookings", "me", orders);
  const onBookOrWait = vi.fn();
  const before = callsTo("GET", "/bookings").length;
  const view = renderScreen(<Screen product={product} onBookOrWait={onBookOrWait} />, { me: karim });
  if (role === "buyer") await waitFor(() => expect(callsTo("GET", "/bookings")).toHaveLength(before + 1));
  return { ...view, onBookOrWait };
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const order = (overrides: Partial<Booking>) => aBooking({ productID: phone._id, ...overrides });

test("a phone that the buyer has booked shows until when it can be paid, and a link to pay", async () => {
  const held = order({ status: "held", holdUntil: inAnHour() });
  await renderControl("buyer", { ...phone, booked: true, heldUntil: held.holdUntil }, [held]);
  const pay = await screen.findByRole("link", { name: `Pay for ${held.productName}` });
  expect(pay).toHaveAttribute("href", `/dashboard/payment/${held._id}`);
  expect(screen.getByText("Booked").parentElement).toHaveTextContent(
    `Booked, for you until ${clock(new Date(held.holdUntil))}`,
  );
});

test("a phone that the buyer has paid shows 'Yours, paid', another buyer's shows 'Booked'", async () => {
  const { unmount } = await renderControl("buyer", { ...phone, booked: true, sold: true }, [
    order({ status: "paid" }),
  ]);
  expect(await screen.findByText("Yours, paid")).toBeVisible();
  unmount();
  await renderControl("buyer", { ...phone, booked: true, sold: true });
  expect(screen.getByText("Booked")).toBeVisible();
  expect(screen.queryByText(/Yours/)).toBeNull();
});

test("a phone whose booking the buyer has just cancelled shows when it can be booked again", async () => {
  const bookAgainAt = inAnHour();
  await renderControl("buyer", phone, [order({ status: "cancelled", bookAgainAt })]);
  await screen.findByText(/^from \d/);
  expect(screen.getByRole("button", { name: /Book Now/ })).toBeDisabled();
});

test("a phone that another buyer holds shows the time left and Join waitlist", async () => {
  // If Date alone stood still, the client would take it for a clock that was set back.
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const held = { ...phone, booked: true, heldUntil: inAnHour(), waiting: 2 };
  const { user, onBookOrWait } = await renderControl("buyer", held);
  expect(screen.getByText("Booked").parentElement).toHaveTextContent(
    "Booked, 1 h 0 min left, 2 people are waiting for it",
  );
  await user.click(screen.getByRole("button", { name: "Join waitlist" }));
  expect(onBookOrWait).toHaveBeenCalledWith(held);
});

test("a phone that the buyer waits for shows Booked and their place, and Leave the waitlist opens a confirmation", async () => {
  const held = { ...phone, booked: true, heldUntil: inAnHour(), waiting: 3 };
  onList("/waitlist", "me", [aWait({ productID: phone._id, position: 3 })]);
  const { user, store } = await renderControl("buyer", held);
  const place = await screen.findByText("3rd in line");
  expect(place).toBeVisible();
  expect(place.parentElement).toHaveTextContent("Booked · 3rd in line");
  await user.click(screen.getByRole("button", { name: "Leave waitlist" }));
  expect(store.getState().dialog).toMatchObject({ dialog: "leave", product: { _id: phone._id } });
});

test("the button keeps the focus when the buyer joins and leaves the waitlist, and when the phone is available again", async () => {
  onRole(karim.email, "buyer");
  onList("/bookings", "me", []);
  onList("/waitlist", "me", []);
  let setPhone: (next: Product) => void = () => undefined;
  function ChangingScreen() {
    const [product, setProduct] = useState<Product>({ ...phone, booked: true, heldUntil: inAnHour() });
    setPhone = setProduct;
    return <Screen product={product} onBookOrWait={vi.fn()} />;
  }
  const { store } = renderScreen(<ChangingScreen />, { me: karim });
  await waitFor(() => expect(callsTo("GET", "/waitlist")).toHaveLength(1));
  screen.getByRole("button", { name: "Join waitlist" }).focus();
  const wait = aWait({ productID: phone._id });
  const receive = (data: { _id: string; version: number }) =>
    act(async () => void store.dispatch(eventsReceived([anEvent("me", "waitlist.changed", data)])));
  await receive(wait);
  expect(await screen.findByRole("button", { name: "Leave waitlist" })).toHaveFocus();
  await receive({ _id: wait._id, version: 2 });
  expect(await screen.findByRole("button", { name: "Join waitlist" })).toHaveFocus();
  act(() => setPhone({ ...phone, version: 2 }));
  expect(screen.getByRole("button", { name: "Book Now" })).toHaveFocus();
  act(() => setPhone({ ...phone, version: 3, booked: true, sold: true }));
  expect(screen.getByText("Booked").parentElement).toHaveFocus();
});

test("an admin sees how many people wait, without a button", async () => {
  await renderControl("admin", { ...phone, booked: true, heldUntil: inAnHour(), waiting: 1 });
  await waitFor(() => expect(screen.queryByRole("button")).toBeNull());
  expect(screen.getByText(", 1 person is waiting for it")).toBeInTheDocument();
});

test("a seller can wait for another seller's phone", async () => {
  await renderControl("seller", { ...phone, booked: true, heldUntil: inAnHour(), waiting: 1 });
  expect(await screen.findByRole("button", { name: /Join waitlist/ })).toBeVisible();
});

test("nobody can wait for a sold phone", async () => {
  await renderControl("buyer", { ...phone, booked: true, sold: true });
  expect(screen.queryByRole("button")).toBeNull();
});

test("a phone can be booked again an hour after its booking was cancelled", async () => {
  const cancelled = order({ status: "cancelled", bookAgainAt: new Date(Date.now() - 1000).toISOString() });
  const { user, onBookOrWait } = await renderControl("buyer", phone, [cancelled]);
  await user.click(screen.getByRole("button", { name: "Book Now" }));
  expect(onBookOrWait).toHaveBeenCalledWith(phone);
});

test("a seller can book", async () => {
  const { user, onBookOrWait } = await renderControl("seller", phone);
  await user.click(screen.getByRole("button", { name: "Book Now" }));
  expect(onBookOrWait).toHaveBeenCalledWith(phone);
});

test("an admin cannot book", async () => {
  await renderControl("admin", phone);
  const button = screen.getByRole("button", { name: "Book Now" });
  await waitFor(() => expect(button).toBeDisabled());
  expect(button).toHaveAttribute("title", "Admins cannot book phones");
});

test("a seller's own phone has a link to its edit form", async () => {
  await renderControl("seller", { ...phone, sellerKey: karim.sellerKey });
  const link = screen.getByRole("link", { name: "Edit this phone" });
  expect(link).toHaveAttribute("href", `/dashboard/myProducts/${phone._id}`);
});
