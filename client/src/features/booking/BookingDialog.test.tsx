import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { bookingDialogOpened } from "@/api/dialogSlice";
import { loggedOut } from "@/api/sessionSlice";
import type { Product } from "@/api/types";
import type { LiveEvent } from "@/lib/live";
import { anEvent, aProduct, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onNetworkError, startServer } from "@/testing/server";
import { receiveEvents, renderScreen, signInAs } from "@/testing/serverScreen";
import BookingDialog from "./BookingDialog";

startServer();

const phone = aProduct({ name: "iPhone 6", resalePrice: 180 });
const topic = `brand:${phone.id}`;

/** Sets the server's response for one phone. */
function onProduct(product: Product) {
  const headers = { "Live-Position": `brand:${product.id}=e1-1` };
  on("get", `/products/${product._id}`, { body: { ...product }, headers });
}

/** Opens the dialog for a phone. */
function openDialog(product: Product = phone) {
  onProduct(product);
  const view = renderScreen(<BookingDialog />, { me: karim });
  act(() => void view.store.dispatch(bookingDialogOpened(product)));
  return view;
}

type View = ReturnType<typeof openDialog>;

const dialog = () => screen.queryByRole("dialog");
const submitButton = () => screen.getByRole("button", { name: "Confirm booking" });

/** Types a phone number and presses Confirm booking. */
async function submitPhoneNumber(user: View["user"], number = "01711 000000") {
  await user.type(screen.getByLabelText("Phone"), number);
  await user.click(submitButton());
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
    await user.click(screen.getByRole("link", { name: "Pay now" }));
    expect(screen.queryByText("Booking Confirmed")).toBeNull();
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

  it("shows the server's message when the booking fails, and keeps the values", async () => {
    on("put", "/bookings", errorResponse(409, "This phone has just been booked"));
    const { user } = openDialog();
    await submitPhoneNumber(user);
    expect(await screen.findAllByText("This phone has just been booked")).toHaveLength(2);
    expect(screen.getByLabelText("Phone")).toHaveValue("01711 000000");
  });

  it("shows the server's error of a field below it", async () => {
    on("put", "/bookings", errorResponse(422, "Please check the marked fields", { phone: "is too long" }));
    const { user } = openDialog();
    await submitPhoneNumber(user);
    expect(await screen.findByText("is too long")).toBeVisible();
    expect(screen.getByLabelText("Phone")).toBeInvalid();
  });

  it("shows that the server can't be reached", async () => {
    onNetworkError("put", "/bookings");
    const { user } = openDialog();
    await submitPhoneNumber(user);
    expect(await screen.findAllByText(/can't be reached/)).toHaveLength(2);
    expect(screen.getByLabelText("Phone")).toHaveValue("01711 000000");
  });

  it("closes by its button and clears the phone", async () => {
    const { user, store } = openDialog();
    await user.click(screen.getByRole("button", { name: "Close" }));
    expect(dialog()).toBeNull();
    expect(store.getState().dialog).toBeNull();
  });
});

describe("a phone in the open dialog", () => {
  const receiveEvent = ({ store }: View, type: string, data: LiveEvent["data"]) =>
    act(async () => receiveEvents(store, anEvent(topic, type, data)));

  /** Opens the dialog and waits until the phone is loaded. */
  async function openLiveDialog() {
    const view = openDialog();
    await waitFor(() => expect(callsTo("GET", `/products/${phone._id}`)).toHaveLength(1));
    await act(async () => undefined);
    return view;
  }

  it("that another buyer books is shown as booked, the values are kept, and it can be booked when it is available again", async () => {
    on("get", "/products/search", { body: [] });
    const view = await openLiveDialog();
    await view.user.type(screen.getByLabelText("Phone"), "01711 000000");
    await receiveEvent(view, "product.booked", { ...phone, version: 2, booked: true });
    expect(await screen.findByText("This phone has just been booked.")).toBeVisible();
    expect(await screen.findByText("No similar phones are available right now.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Wait for it" })).toBeEnabled();
    expect(screen.getByLabelText("Phone")).toHaveValue("01711 000000");
    expect(screen.getByLabelText("Phone")).not.toHaveFocus();
    await receiveEvent(view, "product.released", { ...phone, version: 3 });
    expect(screen.queryByText(/has just been booked/)).toBeNull();
    expect(screen.getByText("This phone is available again. You can book it.")).toBeVisible();
    await waitFor(() => expect(screen.getByLabelText("Phone")).toHaveFocus());
    expect(submitButton()).toBeEnabled();
  });

  it("that is removed is shown as no longer for sale", async () => {
    on("get", "/products/search", { body: [] });
    const view = await openLiveDialog();
    await receiveEvent(view, "product.removed", { _id: phone._id, version: 9 });
    expect(await screen.findByText("This phone is no longer for sale.")).toBeVisible();
    expect(submitButton()).toBeDisabled();
  });

  it("that was removed before the dialog was opened is shown as no longer for sale", async () => {
    on("get", "/products/search", { body: [] });
    on("get", `/products/${phone._id}`, errorResponse(404, "There is no such phone"));
    const view = renderScreen(<BookingDialog />, { me: karim });
    act(() => void view.store.dispatch(bookingDialogOpened(phone)));
    expect(await screen.findByText("This phone is no longer for sale.")).toBeVisible();
  });

  it("with a new price can be booked only after the price is accepted", async () => {
    on("put", "/bookings", { body: { acknowledged: true } });
    const view = await openLiveDialog();
    await view.user.type(screen.getByLabelText("Phone"), "01711 000000");
    await receiveEvent(view, "product.changed", { ...phone, version: 2, resalePrice: 250 });
    expect(await screen.findByText("The price has changed from $180 to $250.")).toBeVisible();
    expect(screen.getByLabelText("Price")).toHaveValue("250");
    await view.user.type(screen.getByLabelText("Phone"), "{Enter}");
    await view.user.click(screen.getByRole("button", { name: "Accept $250" }));
    expect(callsTo("PUT", "/bookings")).toHaveLength(0);
    await waitFor(() => expect(submitButton()).toHaveFocus());
    await view.user.click(submitButton());
    await waitFor(() => expect(callsTo("PUT", "/bookings")[0]?.body).toMatchObject({ price: 250 }));
  });

  it("with changed fields shows them, and can be booked only after they are accepted", async () => {
    on("put", "/bookings", { body: { acknowledged: true } });
    const view = await openLiveDialog();
    await view.user.type(screen.getByLabelText("Phone"), "01711 000000");
    await receiveEvent(view, "product.changed", {
      ...phone,
      version: 2,
      name: "iPhone 6, for parts",
      productCondition: "Fair",
      description: "Does not start",
    });
    expect(await screen.findByText(/The seller has updated this phone/)).toBeVisible();
    expect(screen.getByText("Does not start")).toBeVisible();
    expect(screen.getByText("iPhone 6, for parts")).toBeVisible();
    expect(screen.getByText("Condition").nextSibling).toHaveTextContent("Before: GoodNow: Fair");
    await view.user.type(screen.getByLabelText("Phone"), "{Enter}");
    expect(callsTo("PUT", "/bookings")).toHaveLength(0);
    await view.user.click(screen.getByRole("button", { name: "Accept the changes" }));
    await waitFor(() => expect(submitButton()).toHaveFocus());
    await view.user.click(submitButton());
    await waitFor(() => expect(callsTo("PUT", "/bookings")[0]?.body).toMatchObject({ version: 2 }));
  });

  it("with another storage can be booked only after it is accepted, also if it was unknown before", async () => {
    on("put", "/bookings", { body: { acknowledged: true } });
    const view = await openLiveDialog();
    await view.user.type(screen.getByLabelText("Phone"), "01711 000000");
    await receiveEvent(view, "product.changed", { ...phone, version: 2, storage: 128 });
    expect((await screen.findByText("Storage")).nextSibling).toHaveTextContent(
      "Before: Not specifiedNow: 128 GB",
    );
    await view.user.type(screen.getByLabelText("Phone"), "{Enter}");
    expect(callsTo("PUT", "/bookings")).toHaveLength(0);
    await view.user.click(screen.getByRole("button", { name: "Accept the changes" }));
    await view.user.click(submitButton());
    await waitFor(() => expect(callsTo("PUT", "/bookings")[0]?.body).toMatchObject({ version: 2 }));
  });

  it("that is booked shows similar phones, and the dialog continues with the selected one", async () => {
    const similar = aProduct({ name: "iPhone 6s", resalePrice: 190 });
    on("get", "/products/search", { body: [{ ...similar }, { ...phone }] });
    on("put", "/bookings", { body: { acknowledged: true } });
    onProduct(similar);
    const view = await openLiveDialog();
    await view.user.type(screen.getByLabelText("Phone"), "01711 000000");
    await view.user.type(screen.getByLabelText("Location"), "Gulshan");
    await receiveEvent(view, "product.booked", { ...phone, version: 2, booked: true });
    await view.user.click(await screen.findByRole("button", { name: "Book iPhone 6s instead, $190, Good" }));
    expect(screen.getByRole("dialog", { name: "Book iPhone 6s" })).toBeVisible();
    expect(screen.getByText("You are booking iPhone 6s now.")).toBeVisible();
    expect(submitButton()).toHaveFocus();
    await view.user.click(submitButton());
    await waitFor(() =>
      expect(callsTo("PUT", "/bookings")[0]?.body).toMatchObject({
        productID: similar._id,
        price: 190,
        phone: "01711 000000",
        location: "Gulshan",
      }),
    );
  });
});

describe("a rejected booking", () => {
  const onRejectedBooking = (code: string, message: string) =>
    on("put", "/bookings", { status: 409, body: { acknowledged: false, code, message } });

  it("of a phone that was just booked shows similar phones", async () => {
    onRejectedBooking("taken", "This phone has just been booked");
    on("get", "/products/search", { body: [{ ...aProduct({ name: "iPhone 6s" }) }] });
    const { user } = openDialog();
    await submitPhoneNumber(user);
    expect(await screen.findByText("This phone has just been booked")).toBeVisible();
    expect(await screen.findByRole("button", { name: /^Book iPhone 6s instead/ })).toBeVisible();
    expect(screen.getByLabelText("Phone")).toHaveValue("01711 000000");
    expect(screen.queryByRole("button", { name: "Confirm booking" })).toBeNull();
  });

  it("of a phone that was just booked leads to its waitlist in the same dialog, with the typed values", async () => {
    onRejectedBooking("taken", "This phone has just been booked");
    on("get", "/products/search", { body: [] });
    on("put", `/products/${phone._id}/waitlist`, {
      body: { acknowledged: true, insertedId: "w1", position: 3 },
    });
    const { user } = openDialog({ ...phone, waiting: 2 });
    await user.type(screen.getByLabelText("Phone"), "01711 000000");
    await user.type(screen.getByLabelText("Location"), "Gulshan");
    await user.click(submitButton());
    expect(await screen.findByText(/^You would be 3rd in line\./)).toBeVisible();
    const openedDialog = dialog();
    onProduct({ ...phone, version: 2, booked: true, waiting: 2 });
    await user.click(screen.getByRole("button", { name: "Wait for it" }));
    expect(dialog()).toBe(openedDialog);
    expect(dialog()).toHaveAccessibleName("Wait for iPhone 6");
  });

  it("of a phone that was just booked lets the buyer watch its model, and keeps the values", async () => {
    onRejectedBooking("taken", "This phone has just been booked");
    on("get", "/products/search", { body: [] });
    on("post", "/searches", { body: { acknowledged: true, insertedId: "s1" } });
    const { user } = openDialog();
    expect(screen.queryByRole("button", { name: "Watch this model" })).toBeNull();
    await submitPhoneNumber(user);
    await user.click(await screen.findByRole("button", { name: "Watch this model" }));
    const saved = await screen.findByRole("button", { name: "Saved" });
    await waitFor(() => expect(saved).toHaveFocus());
    expect(
      await screen.findByText("We will tell you when another Apple iPhone 6 is for sale."),
    ).toBeVisible();
    await user.click(saved);
    expect(callsTo("POST", "/searches").map(({ body }) => body)).toEqual([
      { name: "Apple iPhone 6", query: `q=iPhone+6&brand=${phone.id}` },
    ]);
    expect(screen.getByLabelText("Phone")).toHaveValue("01711 000000");
  });

  it("of a phone that was just booked shows the message of the limit of saved searches", async () => {
    onRejectedBooking("taken", "This phone has just been booked");
    on("get", "/products/search", { body: [] });
    const { user } = openDialog();
    await submitPhoneNumber(user);
    on("post", "/searches", errorResponse(409, "You already have 20 saved searches"));
    await user.click(await screen.findByRole("button", { name: "Watch this model" }));
    expect(await screen.findByText("You already have 20 saved searches")).toBeVisible();
    expect(screen.getByRole("button", { name: "Watch this model" })).toBeEnabled();
  });

  it("of a phone that was changed shows the changes, and is sent again after they are accepted", async () => {
    onRejectedBooking("conflict", "This phone was changed");
    const { user } = openDialog();
    await waitFor(() => expect(callsTo("GET", `/products/${phone._id}`)).toHaveLength(1));
    await user.type(screen.getByLabelText("Phone"), "01711 000000");
    onProduct({ ...phone, version: 3, productCondition: "Fair" });
    await user.click(submitButton());
    await user.click(await screen.findByRole("button", { name: "Accept the changes" }));
    on("put", "/bookings", { body: { acknowledged: true, insertedId: "b1" } });
    await user.click(submitButton());
    expect(await screen.findByText("Booking Confirmed")).toBeVisible();
    const sent = callsTo("PUT", "/bookings").map(({ body }) => (body as { version: number }).version);
    expect(sent).toEqual([1, 3]);
  });

  it.each(["wait", "too_many"])("because of a limit (%s) has a link to the buyer's orders", async (code) => {
    onRejectedBooking(code, "Not now");
    const { user } = openDialog();
    await submitPhoneNumber(user);
    expect(await screen.findByRole("link", { name: "Go to My Orders" })).toHaveAttribute(
      "href",
      "/dashboard/myOrders",
    );
    expect(screen.getAllByText("Not now")).toHaveLength(2);
    expect(submitButton()).toBeEnabled();
  });

  it("because of an email that is not confirmed offers to send the link again", async () => {
    onRejectedBooking("verify_email", "Please confirm your email address first");
    on("post", "/identity/verify/send", { status: 204 });
    const { user } = openDialog();
    await submitPhoneNumber(user);
    await user.click(await screen.findByRole("button", { name: "Send the link again" }));
    expect(await screen.findByText(/^Please check your inbox at karim@example.com/)).toBeVisible();
    expect(submitButton()).toBeEnabled();
  });
});

describe("a session that ends while the dialog is open", () => {
  async function endSession(endReason: string | undefined) {
    on("post", "/identity/sign-out", {});
    const view = openDialog();
    await view.user.type(screen.getByLabelText("Phone"), "01711 000000");
    act(() => void view.store.dispatch(loggedOut(endReason)));
    await waitFor(() => expect(callsTo("POST", "/identity/sign-out")).toHaveLength(1));
    return view;
  }

  it("leads to the login, and the values are restored once after it", async () => {
    const { store, unmount } = await endSession("Your session has ended.");
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
    const { store, unmount } = await endSession("Your session has ended.");
    unmount();
    act(() => signInAs(store, { ...karim, email: "other@example.com" }));
    renderScreen(<BookingDialog />, { store });
    expect(dialog()).toBeNull();
    expect(sessionStorage).toHaveLength(0);
  });

  it("because the user signs out stores no values", async () => {
    await endSession(undefined);
    expect(sessionStorage).toHaveLength(0);
  });
});
