import { act, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { useOwnBookings } from "@/api/bookings";
import { bookingDialogOpened, waitDialogOpened } from "@/api/dialogSlice";
import { useRole } from "@/api/role";
import type { Booking } from "@/api/types";
import { onProduct, phone, submitPhoneNumber } from "@/testing/bookingDialog";
import { aBooking, anEvent, karim } from "@/testing/factories";
import { on, onList, onNetworkError, onRole, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import BookingDialog from "./BookingDialog";

startServer();

/** The dialog on a screen that loads the buyer's bookings. */
function Screen() {
  useRole();
  const { list } = useOwnBookings();
  return (
    <>
      {list && <p>Bookings loaded</p>}
      <BookingDialog />
    </>
  );
}

async function openDialog(bookings: Booking[] = [], product = phone) {
  onRole(karim.email, "buyer");
  onList("/bookings", "me", bookings);
  on("get", "/products/search", { body: [] });
  onProduct(product);
  const view = renderScreen(<Screen />, { me: karim });
  await screen.findByText("Bookings loaded");
  const open = product.booked ? waitDialogOpened : bookingDialogOpened;
  act(() => void view.store.dispatch(open(product)));
  await screen.findByLabelText("Phone");
  return view;
}

type View = Awaited<ReturnType<typeof openDialog>>;

const own = (overrides: Partial<Booking> = {}) => aBooking({ productID: phone._id, ...overrides });

/** The event that the phone was booked. */
function receiveBooked({ store }: View) {
  const booked = { ...phone, version: 2, booked: true };
  receiveEvents(store, anEvent(`brand:${phone.id}`, "product.booked", booked));
}

/** The two events of this buyer's booking, in the order in which the server makes them. */
function receiveOwnBooking(view: View, booking = own()) {
  receiveBooked(view);
  expectNothingWrong();
  receiveEvents(view.store, anEvent("me", "booking.changed", booking));
}

const expectNothingWrong = () => expect(document.body).not.toHaveTextContent(/just been booked|would be/);

async function expectPayFor({ _id }: Booking) {
  expect(await screen.findByText("You have booked it.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Pay now" })).toHaveAttribute("href", `/dashboard/payment/${_id}`);
  expectNothingWrong();
}

describe("the dialog of a phone that the buyer has got leads to the payment", () => {
  it("after the answer of the booking was lost", async () => {
    onNetworkError("put", "/bookings");
    const view = await openDialog();
    await submitPhoneNumber(view.user);
    await screen.findAllByText(/reach/);
    const booking = own();
    receiveOwnBooking(view, booking);
    await expectPayFor(booking);
    expect(screen.getByRole("button", { name: "Confirm booking" })).toHaveClass("invisible");
  });

  it("after the answer was lost while there is no live connection", async () => {
    onNetworkError("put", "/bookings");
    const view = await openDialog();
    const booking = own();
    onList("/bookings", "me", [booking]);
    onProduct({ ...phone, version: 2, booked: true });
    await submitPhoneNumber(view.user);
    await expectPayFor(booking);
  });

  it("after it was booked in another tab or on another device", async () => {
    const view = await openDialog();
    const booking = own();
    receiveOwnBooking(view, booking);
    await expectPayFor(booking);
  });

  it("if it was booked before the dialog was opened", async () => {
    const booking = own();
    await openDialog([booking]);
    await expectPayFor(booking);
  });

  it("at the buyer's turn, while the phone was to be booked", async () => {
    const view = await openDialog();
    const booking = own({ turn: true });
    receiveOwnBooking(view, booking);
    await expectPayFor(booking);
  });

  it("at the buyer's turn, in the dialog of the waitlist", async () => {
    const view = await openDialog([], { ...phone, booked: true, waiting: 1 });
    const booking = own({ turn: true });
    receiveEvents(view.store, anEvent("me", "booking.changed", booking));
    await expectPayFor(booking);
  });
});

it("says that the buyer has bought the phone after it was paid in another tab", async () => {
  const view = await openDialog();
  receiveOwnBooking(view, own({ status: "paid", paid: true }));
  expect(await screen.findByText("You have bought it.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to My Orders" })).toBeVisible();
  expectNothingWrong();
});

it("says that somebody else was faster, if no booking of the buyer follows", async () => {
  receiveBooked(await openDialog());
  expect(await screen.findByText("This phone has just been booked.")).toBeVisible();
  expect(screen.getByText("You would be next in line.")).toBeVisible();
});

it("says so after a former booking of the buyer has ended", async () => {
  receiveBooked(await openDialog([own({ status: "expired" })]));
  expect(await screen.findByText("This phone has just been booked.")).toBeVisible();
});
