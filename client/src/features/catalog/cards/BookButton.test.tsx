import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useOwnBookings } from "@/api/bookings";
import { useRole } from "@/api/role";
import type { Booking, Product, Role } from "@/api/types";
import { aBooking, aProduct, karim } from "@/testing/factories";
import { callsTo, onList, onRole, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import { BookButton } from "./BookButton";

startServer();

const phone = aProduct();

function Screen({ product, onBook }: { product: Product; onBook: () => void }) {
  useRole();
  useOwnBookings();
  return <BookButton product={product} onBook={onBook} />;
}

async function show(role: Role, product: Product, orders: Booking[] = []) {
  onRole(karim.email, role);
  onList("/bookings", "me", orders);
  const onBook = vi.fn();
  const view = renderScreen(<Screen product={product} onBook={onBook} />, { me: karim });
  if (role === "buyer") await waitFor(() => expect(callsTo("GET", "/bookings")).toHaveLength(1));
  return { ...view, onBook };
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const order = (over: Partial<Booking>) => aBooking({ productID: phone._id, ...over });

test("a phone that the buyer has booked shows the time left and a link to pay", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const held = order({ status: "held", holdUntil: inAnHour() });
  await show("buyer", { ...phone, booked: true, heldUntil: held.holdUntil }, [held]);
  const pay = await screen.findByRole("link", { name: `Pay for ${held.productName}` });
  expect(pay).toHaveAttribute("href", `/dashboard/payment/${held._id}`);
  expect(screen.getByText("Booked").parentElement).toHaveTextContent("Booked, Yours, 1 h 0 min left");
});

test("a phone that the buyer has paid shows 'Yours, paid', another buyer's shows 'Booked'", async () => {
  const { unmount } = await show("buyer", { ...phone, booked: true, sold: true }, [
    order({ status: "paid" }),
  ]);
  expect(await screen.findByText("Yours, paid")).toBeVisible();
  unmount();
  await show("buyer", { ...phone, booked: true, sold: true });
  expect(screen.getByText("Booked")).toBeVisible();
  expect(screen.queryByText(/Yours/)).toBeNull();
});

test("a phone whose booking the buyer has just cancelled shows when it can be booked again", async () => {
  const again = inAnHour();
  await show("buyer", phone, [order({ status: "cancelled", bookAgainAt: again })]);
  await screen.findByText(/^from \d/);
  expect(screen.getByRole("button", { name: /Book Now/ })).toBeDisabled();
});

test("an hour later the phone can be booked again", async () => {
  const ended = order({ status: "cancelled", bookAgainAt: new Date(Date.now() - 1000).toISOString() });
  const { user, onBook } = await show("buyer", phone, [ended]);
  await user.click(screen.getByRole("button", { name: "Book Now" }));
  expect(onBook).toHaveBeenCalledWith(phone);
});

test.each<Role>(["seller", "admin"])("a %s cannot book", async (role) => {
  await show(role, phone);
  const button = screen.getByRole("button", { name: "Book Now" });
  await waitFor(() => expect(button).toBeDisabled());
  expect(button).toHaveAttribute("title", "Only buyers can book phones");
});

test("a seller's own phone links to its edit form", async () => {
  await show("seller", { ...phone, email: karim.email });
  const link = screen.getByRole("link", { name: "Edit this phone" });
  expect(link).toHaveAttribute("href", `/dashboard/myProducts/${phone._id}`);
});
