import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { useOwnBookings } from "@/api/bookings";
import { bookingDialogOpened } from "@/api/dialogSlice";
import { useRole } from "@/api/role";
import { sessionEnded } from "@/api/sessionSlice";
import {
  dialog,
  onProduct,
  openDialog,
  phone,
  submitButton,
  submitPhoneNumber,
} from "@/testing/bookingDialog";
import { aBooking, karim } from "@/testing/factories";
import {
  callsTo,
  errorResponse,
  on,
  onConfig,
  onList,
  onNetworkError,
  onRole,
  startServer,
} from "@/testing/server";
import { renderScreen, signInAs } from "@/testing/serverScreen";
import BookingDialog from "./BookingDialog";

startServer();

/** The dialog on a screen that loads the buyer's bookings. */
function WithOwnBookings() {
  useRole();
  const { list } = useOwnBookings();
  return (
    <>
      {list && <p>{list.total} booking</p>}
      <BookingDialog />
    </>
  );
}

describe("the booking dialog", () => {
  it("is closed until a phone is chosen", () => {
    renderScreen(<BookingDialog />, { me: karim });
    expect(dialog()).toBeNull();
  });

  it("shows the buyer and the phone in read-only fields", () => {
    openDialog();
    const fields = {
      "User Name": "Karim Uddin",
      Email: "karim@example.com",
      "Product Name": "iPhone 6",
      Price: "180",
    };
    for (const [label, value] of Object.entries(fields)) {
      expect(screen.getByLabelText(label)).toHaveValue(value);
      expect(screen.getByLabelText(label)).toHaveAttribute("readonly");
    }
    expect(screen.getByLabelText("Phone")).toHaveAttribute("name", "phone");
    expect(screen.getByLabelText("Location")).toHaveAttribute("name", "location");
  });

  it("says at the first booking that there will be emails, where the market sends them", async () => {
    onConfig({ mail: true });
    openDialog();
    expect(await screen.findByText(/^We email you about this booking and the order\./)).toBeVisible();
    expect(screen.getByRole("link", { name: "Notifications" })).toHaveAttribute(
      "href",
      "/dashboard/notifications#emails",
    );
    expect(screen.queryByRole("button", { name: "Send the link again" })).toBeNull();
  });

  it("asks a buyer whose address is not confirmed to confirm it", async () => {
    onConfig({ mail: true });
    on("post", "/identity/verify/send", { status: 204 });
    const { user } = openDialog(phone, { ...karim, emailVerified: false });
    await user.click(await screen.findByRole("button", { name: "Send the link again" }));
    expect(await screen.findByText(/^Please check your inbox at karim@example.com/)).toBeVisible();
  });

  it("says nothing about emails at a later booking, or if the market sends none", async () => {
    onConfig({ mail: true });
    onRole(karim.email, "buyer");
    onList("/bookings", "me", [aBooking()]);
    onProduct(phone);
    const { store } = renderScreen(<WithOwnBookings />, { me: karim });
    await screen.findByText("1 booking");
    act(() => void store.dispatch(bookingDialogOpened(phone)));
    expect(await screen.findByLabelText("Phone")).toBeVisible();
    expect(screen.queryByText(/^We email you/)).toBeNull();
  });

  it("books with the spec's payload, shows a toast and closes", async () => {
    on("put", "/bookings", { body: { acknowledged: true, insertedId: "b1" } });
    const { user, store } = openDialog();
    await user.type(screen.getByLabelText("Phone"), " 01711 000000 ");
    await user.type(screen.getByLabelText("Location"), "Gulshan");
    await user.click(submitButton());
    expect(await screen.findByText("Booking Confirmed")).toBeVisible();
    expect(screen.getByRole("link", { name: "Pay now" })).toHaveAttribute("href", "/dashboard/payment/b1");
    expect(dialog()).toBeNull();
    expect(store.getState().dialog).toBeNull();
    expect(callsTo("PUT", "/bookings").map(({ body }) => body)).toEqual([
      {
        userName: "Karim Uddin",
        email: "karim@example.com",
        productName: "iPhone 6",
        productID: phone._id,
        id: phone.id,
        brand: "Apple",
        img: phone.img,
        price: 180,
        version: 1,
        phone: "01711 000000",
        location: "Gulshan",
      },
    ]);
  });

  it("formats a price like the rest of the market", () => {
    openDialog({ ...phone, resalePrice: 1274 });
    expect(screen.getByLabelText("Price")).toHaveValue("1,274");
  });

  it("requires a phone number, but no location", async () => {
    const { user } = openDialog();
    await submitPhoneNumber(user, "  ");
    expect(await screen.findByText("Phone is required")).toBeVisible();
    expect(screen.getByLabelText("Phone")).toHaveFocus();
    expect(callsTo("PUT", "/bookings")).toHaveLength(0);
  });

  it.each([
    ["12345", "Enter at least 6 digits"],
    ["+ ( ) - .", "Enter at least 6 digits"],
    ["call me 01711", "Use digits, spaces and + ( ) - . only"],
    ["+880 1711 000000 00000", "Use at most 20 characters"],
  ])("shows the error of the phone number %s and sends nothing", async (value, message) => {
    const { user } = openDialog();
    await submitPhoneNumber(user, value);
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.getByLabelText("Phone")).toBeInvalid();
    expect(callsTo("PUT", "/bookings")).toHaveLength(0);
  });

  it.each(["017110", "+880 (2) 9.11-222"])("accepts the phone number %s", async (value) => {
    on("put", "/bookings", { body: { acknowledged: true, insertedId: "b1" } });
    const { user } = openDialog();
    await submitPhoneNumber(user, value);
    expect(await screen.findByText("Booking Confirmed")).toBeVisible();
    expect(callsTo("PUT", "/bookings")[0]?.body).toMatchObject({ phone: value });
  });

  it.each([
    ["\u202a+৮৮০ ১৭১১-১২৩৪৫৬\u202c", "+880 1711-123456"],
    ["（０２）１２３４５６７８", "(02)12345678"],
    ["tel:+49\u00a030\u2009123456", "+49 30 123456"],
    ["01711\u2011123\u2013456\u200b", "01711-123-456"],
    [" ٠١٧١١١٢٣٤٥٦\u200f", "01711123456"],
  ])("sends the pasted phone number %s as %s", async (value, phone) => {
    on("put", "/bookings", { body: { acknowledged: true, insertedId: "b1" } });
    const { user } = openDialog();
    await submitPhoneNumber(user, value);
    expect(await screen.findByText("Booking Confirmed")).toBeVisible();
    expect(callsTo("PUT", "/bookings")[0]?.body).toMatchObject({ phone });
  });

  it("shows the server's message when the booking fails, and keeps the values", async () => {
    on("put", "/bookings", errorResponse(409, "This phone has just been booked"));
    const { user } = openDialog();
    await submitPhoneNumber(user);
    expect(await screen.findAllByText("This phone has just been booked")).toHaveLength(2);
    expect(screen.getByLabelText("Phone")).toHaveValue("01711 000000");
  });

  it("shows the server's error of a field below it", async () => {
    on(
      "put",
      "/bookings",
      errorResponse(422, "Phone number is too long", { phone: "Phone number is too long" }),
    );
    const { user } = openDialog();
    await submitPhoneNumber(user);
    expect(await screen.findByText("Phone number is too long")).toBeVisible();
    expect(screen.getByLabelText("Phone")).toBeInvalid();
  });

  it("says that nothing was booked only if the device is offline and no answer was lost before", async () => {
    const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    onNetworkError("put", "/bookings");
    const { user } = openDialog();
    await submitPhoneNumber(user);
    expect(await screen.findAllByText("You're offline. Nothing was booked.")).toHaveLength(2);
    expect(screen.getByLabelText("Phone")).toHaveValue("01711 000000");
    onLine.mockReturnValue(true);
    await user.click(submitButton());
    expect(await screen.findAllByText(/can't be reached/)).toHaveLength(2);
    onLine.mockReturnValue(false);
    await user.click(submitButton());
    expect(await screen.findAllByText("You're offline. Nothing was sent.")).toHaveLength(2);
  });

  it("closes by its button and clears the phone", async () => {
    const { user, store } = openDialog();
    await user.click(screen.getByRole("button", { name: "Close" }));
    expect(dialog()).toBeNull();
    expect(store.getState().dialog).toBeNull();
  });
});

describe("a session that ends while the dialog is open", () => {
  async function endSession(by: "server" | "person") {
    on("post", "/identity/sign-out", {});
    const view = openDialog();
    await view.user.type(screen.getByLabelText("Phone"), "01711 000000");
    act(() => void view.store.dispatch(sessionEnded({ by })));
    return view;
  }

  it("leads to the login, and the values are restored once after it", async () => {
    const { store, unmount } = await endSession("server");
    await waitFor(() => expect(screen.getByTestId("current-path")).toHaveTextContent("/login"));
    unmount();
    act(() => signInAs(store, karim));
    const restored = renderScreen(<BookingDialog />, { store });
    expect(await screen.findByLabelText("Phone")).toHaveValue("01711 000000");
    expect(screen.getByRole("dialog", { name: "Book iPhone 6" })).toBeVisible();
    await restored.user.click(screen.getByRole("button", { name: "Close" }));
    expect(sessionStorage).toHaveLength(0);
  });

  it("does not restore the values for another user", async () => {
    const { store, unmount } = await endSession("server");
    unmount();
    act(() => signInAs(store, { ...karim, email: "other@example.com" }));
    renderScreen(<BookingDialog />, { store });
    expect(dialog()).toBeNull();
    expect(sessionStorage).toHaveLength(0);
  });

  it("because the user signs out stores no values", async () => {
    await endSession("person");
    expect(sessionStorage).toHaveLength(0);
  });
});
