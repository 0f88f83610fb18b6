import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { bookingDialogOpened } from "@/api/dialogSlice";
import { eventsReceived } from "@/api/liveActions";
import { loggedOut } from "@/api/session";
import type { Product } from "@/api/types";
import type { Entity } from "@/lib/live";
import { anEvent, aProduct, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onNetworkError, startServer } from "@/testing/server";
import { renderScreen, signInAs } from "@/testing/serverScreen";
import BookingDialog from "./BookingDialog";

startServer();

const phone = aProduct({ name: "iPhone 6", resalePrice: 180 });
const topic = `brand:${phone.id}`;

/** The server's answer about one phone. */
function answer(product: Product) {
  const headers = { "Live-Position": `brand:${product.id}=e1-1` };
  on("get", `/products/${product._id}`, { body: { ...product }, headers });
}

/** The dialog open for a phone. */
function open(product: Product = phone) {
  answer(product);
  const view = renderScreen(<BookingDialog />, { me: karim });
  act(() => void view.store.dispatch(bookingDialogOpened(product)));
  return view;
}

const dialog = () => screen.queryByRole("dialog");
const press = () => screen.getByRole("button", { name: "Confirm booking" });

describe("the booking dialog", () => {
  it("is closed until a phone is chosen", () => {
    renderScreen(<BookingDialog />, { me: karim });
    expect(dialog()).toBeNull();
  });

  it("fills in who books what, read-only", () => {
    open();
    const filled = {
      "User Name": "Karim Uddin",
      Email: "karim@example.com",
      "Product Name": "iPhone 6",
      Price: "180",
    };
    for (const [label, value] of Object.entries(filled)) {
      expect(screen.getByLabelText(label)).toHaveValue(value);
      expect(screen.getByLabelText(label)).toHaveAttribute("readonly");
    }
    expect(screen.getByLabelText("Phone")).toHaveAttribute("name", "phone");
    expect(screen.getByLabelText("Location")).toHaveAttribute("name", "location");
  });

  it("books with the spec's payload, says so and closes", async () => {
    on("put", "/bookings", { body: { acknowledged: true, insertedId: "b1" } });
    const { user, store } = open();
    await user.type(screen.getByLabelText("Phone"), " 01711 000000 ");
    await user.type(screen.getByLabelText("Location"), "Gulshan");
    await user.click(press());
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

  it("needs a phone number, and no location", async () => {
    const { user } = open();
    await user.type(screen.getByLabelText("Phone"), "  ");
    await user.click(press());
    expect(await screen.findByText("Phone is required")).toBeVisible();
    expect(screen.getByLabelText("Phone")).toHaveFocus();
    expect(callsTo("PUT", "/bookings")).toHaveLength(0);
  });

  it.each([
    ["12345", "Enter at least 6 digits"],
    ["+ ( ) - .", "Enter at least 6 digits"],
    ["call me 01711", "Use digits, spaces and + ( ) - . only"],
    ["+880 1711 000000 00000", "Use at most 20 characters"],
  ])("says what is wrong with the phone number %s before anything is sent", async (typed, words) => {
    const { user } = open();
    await user.type(screen.getByLabelText("Phone"), typed);
    await user.click(press());
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.getByLabelText("Phone")).toBeInvalid();
    expect(callsTo("PUT", "/bookings")).toHaveLength(0);
  });

  it.each(["017110", "+880 (2) 9.11-222"])("takes the phone number %s", async (typed) => {
    on("put", "/bookings", { body: { acknowledged: true, insertedId: "b1" } });
    const { user } = open();
    await user.type(screen.getByLabelText("Phone"), typed);
    await user.click(press());
    expect(await screen.findByText("Booking Confirmed")).toBeVisible();
    expect(callsTo("PUT", "/bookings")[0]?.body).toMatchObject({ phone: typed });
  });

  it("shows the server's words when booking fails, and keeps what was typed", async () => {
    on("put", "/bookings", errorResponse(409, "This phone has just been booked"));
    const { user } = open();
    await user.type(screen.getByLabelText("Phone"), "01711 000000");
    await user.click(press());
    expect(await screen.findAllByText("This phone has just been booked")).toHaveLength(2);
    expect(screen.getByLabelText("Phone")).toHaveValue("01711 000000");
  });

  it("puts what the server says of a field beside it", async () => {
    on("put", "/bookings", errorResponse(422, "Some fields need another look", { phone: "is too long" }));
    const { user } = open();
    await user.type(screen.getByLabelText("Phone"), "01711 000000");
    await user.click(press());
    expect(await screen.findByText("is too long")).toBeVisible();
    expect(screen.getByLabelText("Phone")).toBeInvalid();
  });

  it("says when the server can't be reached", async () => {
    onNetworkError("put", "/bookings");
    const { user } = open();
    await user.type(screen.getByLabelText("Phone"), "01711 000000");
    await user.click(press());
    expect(await screen.findAllByText(/can't be reached/)).toHaveLength(2);
    expect(screen.getByLabelText("Phone")).toHaveValue("01711 000000");
  });

  it("closes on request and forgets the phone", async () => {
    const { user, store } = open();
    await user.click(screen.getByRole("button", { name: "Close" }));
    expect(dialog()).toBeNull();
    expect(store.getState().dialog).toBeNull();
  });
});

describe("a phone that changes under the buyer's eyes", () => {
  const tell = (view: ReturnType<typeof open>, type: string, product: Partial<Product> & Entity) =>
    act(async () => void view.store.dispatch(eventsReceived([anEvent(topic, type, product)])));

  /** The dialog open, and followed live. */
  async function follow() {
    const view = open();
    await waitFor(() => expect(callsTo("GET", `/products/${phone._id}`)).toHaveLength(1));
    await act(async () => undefined);
    return view;
  }

  it("booked by another: says so, keeps what was typed, and opens again when it becomes free", async () => {
    on("get", "/products/search", { body: [] });
    const view = await follow();
    await view.user.type(screen.getByLabelText("Phone"), "01711 000000");
    await tell(view, "product.booked", { ...phone, version: 2, booked: true });
    expect(await screen.findByText("This phone has just been booked.")).toBeVisible();
    expect(await screen.findByText("No similar phones are available right now.")).toBeVisible();
    expect(press()).toBeDisabled();
    expect(screen.getByLabelText("Phone")).toHaveValue("01711 000000");
    expect(screen.getByLabelText("Phone")).not.toHaveFocus();
    await tell(view, "product.released", { ...phone, version: 3 });
    expect(screen.queryByText(/has just been booked/)).toBeNull();
    expect(screen.getByText("This phone is available again. You can book it.")).toBeVisible();
    await waitFor(() => expect(screen.getByLabelText("Phone")).toHaveFocus());
    expect(press()).toBeEnabled();
  });

  it("withdrawn: says so", async () => {
    on("get", "/products/search", { body: [] });
    const view = await follow();
    await tell(view, "product.removed", { _id: phone._id, version: 9 });
    expect(await screen.findByText("This phone is no longer for sale.")).toBeVisible();
    expect(press()).toBeDisabled();
  });

  it("gone before the dialog opened: says so too", async () => {
    on("get", "/products/search", { body: [] });
    on("get", `/products/${phone._id}`, errorResponse(404, "There is no such phone"));
    const view = renderScreen(<BookingDialog />, { me: karim });
    act(() => void view.store.dispatch(bookingDialogOpened(phone)));
    expect(await screen.findByText("This phone is no longer for sale.")).toBeVisible();
  });

  it("at a new price: books only after a fresh yes, and then at it", async () => {
    on("put", "/bookings", { body: { acknowledged: true } });
    const view = await follow();
    await view.user.type(screen.getByLabelText("Phone"), "01711 000000");
    await tell(view, "product.changed", { ...phone, version: 2, resalePrice: 250 });
    expect(await screen.findByText("The price has changed from $180 to $250.")).toBeVisible();
    expect(screen.getByLabelText("Price")).toHaveValue("250");
    await view.user.type(screen.getByLabelText("Phone"), "{Enter}");
    await view.user.click(screen.getByRole("button", { name: "Accept $250" }));
    expect(callsTo("PUT", "/bookings")).toHaveLength(0);
    expect(press()).toHaveFocus();
    await view.user.click(press());
    await waitFor(() => expect(callsTo("PUT", "/bookings")[0]?.body).toMatchObject({ price: 250 }));
  });

  it("described otherwise: shows what has changed, and books that only after a fresh yes", async () => {
    on("put", "/bookings", { body: { acknowledged: true } });
    const view = await follow();
    await view.user.type(screen.getByLabelText("Phone"), "01711 000000");
    await tell(view, "product.changed", {
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
    expect(press()).toHaveFocus();
    await view.user.click(press());
    await waitFor(() => expect(callsTo("PUT", "/bookings")[0]?.body).toMatchObject({ version: 2 }));
  });

  it("offers free phones like it, and goes on with the one that is chosen", async () => {
    const near = aProduct({ name: "iPhone 6s", resalePrice: 190 });
    on("get", "/products/search", { body: [near, phone].map((one) => ({ ...one })) });
    on("put", "/bookings", { body: { acknowledged: true } });
    answer(near);
    const view = await follow();
    await view.user.type(screen.getByLabelText("Phone"), "01711 000000");
    await view.user.type(screen.getByLabelText("Location"), "Gulshan");
    await tell(view, "product.booked", { ...phone, version: 2, booked: true });
    await view.user.click(await screen.findByRole("button", { name: "Book iPhone 6s instead, $190, Good" }));
    expect(screen.getByRole("dialog", { name: "Book iPhone 6s" })).toBeVisible();
    expect(screen.getByText("You are booking iPhone 6s now.")).toBeVisible();
    expect(press()).toHaveFocus();
    await view.user.click(press());
    await waitFor(() =>
      expect(callsTo("PUT", "/bookings")[0]?.body).toMatchObject({
        productID: near._id,
        price: 190,
        phone: "01711 000000",
        location: "Gulshan",
      }),
    );
  });
});

describe("a refusal", () => {
  const refused = (code: string, message: string) =>
    on("put", "/bookings", { status: 409, body: { acknowledged: false, code, message } });

  it("because somebody was faster offers phones like it", async () => {
    refused("taken", "This phone has just been booked");
    on("get", "/products/search", { body: [{ ...aProduct({ name: "Near" }) }] });
    const { user } = open();
    await user.type(screen.getByLabelText("Phone"), "01711 000000");
    await user.click(press());
    expect(await screen.findByText("This phone has just been booked")).toBeVisible();
    expect(await screen.findByRole("button", { name: /^Book Near instead/ })).toBeVisible();
    expect(screen.getByLabelText("Phone")).toHaveValue("01711 000000");
    expect(press()).toBeDisabled();
  });

  it("because the phone is another by now shows what has changed, and asks for a fresh yes", async () => {
    refused("conflict", "This phone was changed");
    const { user } = open();
    await waitFor(() => expect(callsTo("GET", `/products/${phone._id}`)).toHaveLength(1));
    await user.type(screen.getByLabelText("Phone"), "01711 000000");
    answer({ ...phone, version: 3, productCondition: "Fair" });
    await user.click(press());
    await user.click(await screen.findByRole("button", { name: "Accept the changes" }));
    on("put", "/bookings", { body: { acknowledged: true, insertedId: "b1" } });
    await user.click(press());
    expect(await screen.findByText("Booking Confirmed")).toBeVisible();
    const sent = callsTo("PUT", "/bookings").map(({ body }) => (body as { version: number }).version);
    expect(sent).toEqual([1, 3]);
  });

  it.each(["wait", "too_many"])("because of the buyer's other bookings (%s) leads to them", async (code) => {
    refused(code, "Not now");
    const { user } = open();
    await user.type(screen.getByLabelText("Phone"), "01711 000000");
    await user.click(press());
    expect(await screen.findByRole("link", { name: "Go to My Orders" })).toHaveAttribute(
      "href",
      "/dashboard/myOrders",
    );
    expect(screen.getAllByText("Not now")).toHaveLength(2);
    expect(press()).toBeEnabled();
  });
});

describe("a session that ends while somebody types", () => {
  async function lose(farewell: string | undefined) {
    on("post", "/identity/sign-out", {});
    const view = open();
    await view.user.type(screen.getByLabelText("Phone"), "01711 000000");
    act(() => void view.store.dispatch(loggedOut(farewell)));
    await waitFor(() => expect(callsTo("POST", "/identity/sign-out")).toHaveLength(1));
    return view;
  }

  it("leads to the login, and from there back to what was typed, once", async () => {
    const { store, unmount } = await lose("Your session has ended.");
    await waitFor(() => expect(screen.getByTestId("where")).toHaveTextContent("/login"));
    unmount();
    act(() => signInAs(store, karim));
    const back = renderScreen(<BookingDialog />, { store });
    expect(await screen.findByLabelText("Phone")).toHaveValue("01711 000000");
    expect(screen.getByRole("dialog", { name: "Book iPhone 6" })).toBeVisible();
    await back.user.click(screen.getByRole("button", { name: "Close" }));
    expect(sessionStorage).toHaveLength(0);
  });

  it("shows it to nobody else", async () => {
    const { store, unmount } = await lose("Your session has ended.");
    unmount();
    act(() => signInAs(store, { ...karim, email: "other@example.com" }));
    renderScreen(<BookingDialog />, { store });
    expect(dialog()).toBeNull();
    expect(sessionStorage).toHaveLength(0);
  });

  it("by the user's own wish keeps nothing", async () => {
    await lose(undefined);
    expect(sessionStorage).toHaveLength(0);
  });
});
