import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { liveApplied } from "@/api/liveActions";
import { bookingChosen } from "@/api/selection";
import type { Product } from "@/api/types";
import type { Entity } from "@/lib/live";
import { anEvent, aProduct, karim } from "@/testing/factories";
import { callsTo, on, onList, refusal, startServer, unreachable } from "@/testing/server";
import { listed, renderScreen } from "@/testing/serverScreen";
import BookingDialog from "./BookingDialog";

startServer();

const phone = aProduct({ name: "iPhone 6", resalePrice: 180 });
const topic = `brand:${phone.id}`;

/** The dialog open for a phone that a brand's list shows. */
function open(product: Product = phone) {
  onList("/test/brandProducts", topic, [product]);
  const view = renderScreen(<BookingDialog />, { me: karim });
  act(() => {
    view.store.dispatch(listed("brandProducts", topic, [product]));
    view.store.dispatch(bookingChosen(product));
  });
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
    await user.type(screen.getByLabelText("Phone"), " 01711 ");
    await user.type(screen.getByLabelText("Location"), "Gulshan");
    await user.click(press());
    expect(await screen.findByText("Booking Confirmed")).toBeVisible();
    expect(dialog()).toBeNull();
    expect(store.getState().selection).toBeNull();
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
        phone: "01711",
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

  it("shows the server's words when booking fails, and keeps what was typed", async () => {
    on("put", "/bookings", refusal(409, "This phone has just been booked"));
    const { user } = open();
    await user.type(screen.getByLabelText("Phone"), "01711");
    await user.click(press());
    expect(await screen.findByText("This phone has just been booked")).toBeVisible();
    expect(screen.getByLabelText("Phone")).toHaveValue("01711");
  });

  it("puts what the server says of a field beside it", async () => {
    on("put", "/bookings", refusal(422, "Some fields need another look", { phone: "is too long" }));
    const { user } = open();
    await user.type(screen.getByLabelText("Phone"), "01711");
    await user.click(press());
    expect(await screen.findByText("is too long")).toBeVisible();
    expect(screen.getByLabelText("Phone")).toBeInvalid();
  });

  it("says when the server can't be reached", async () => {
    unreachable("put", "/bookings");
    const { user } = open();
    await user.type(screen.getByLabelText("Phone"), "01711");
    await user.click(press());
    expect(await screen.findByText(/can't be reached/)).toBeVisible();
  });

  it("closes on request and forgets the phone", async () => {
    const { user, store } = open();
    await user.click(screen.getByRole("button", { name: "Close" }));
    expect(dialog()).toBeNull();
    expect(store.getState().selection).toBeNull();
  });
});

describe("a phone that changes under the buyer's eyes", () => {
  const tell = (view: ReturnType<typeof open>, type: string, product: Partial<Product> & Entity) =>
    act(() => void view.store.dispatch(liveApplied([anEvent(topic, type, product)])));

  it("booked by another: says so, keeps what was typed, and opens again when it becomes free", async () => {
    const view = open();
    await view.user.type(screen.getByLabelText("Phone"), "01711");
    tell(view, "product.booked", { ...phone, version: 2, booked: true });
    expect(screen.getByText(/has just been booked/)).toBeVisible();
    expect(press()).toBeDisabled();
    expect(screen.getByLabelText("Phone")).toHaveValue("01711");
    expect(screen.getByLabelText("Phone")).toHaveFocus();
    tell(view, "product.released", { ...phone, version: 3 });
    expect(screen.queryByText(/has just been booked/)).toBeNull();
    expect(press()).toBeEnabled();
  });

  it("withdrawn: says so", () => {
    const view = open();
    tell(view, "product.removed", { _id: phone._id, version: 9 });
    expect(screen.getByText("This phone is no longer for sale.")).toBeVisible();
    expect(press()).toBeDisabled();
  });

  it("at a new price: shows it and books at it", async () => {
    on("put", "/bookings", { body: { acknowledged: true } });
    const view = open();
    tell(view, "product.changed", { ...phone, version: 2, resalePrice: 150 });
    expect(screen.getByLabelText("Price")).toHaveValue("150");
    await view.user.type(screen.getByLabelText("Phone"), "01711");
    await view.user.click(press());
    await waitFor(() => expect(callsTo("PUT", "/bookings")[0]?.body).toMatchObject({ price: 150 }));
  });
});
