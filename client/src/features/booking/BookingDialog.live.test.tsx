import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { bookingDialogOpened } from "@/api/dialogSlice";
import type { LiveEvent } from "@/lib/live";
import { onProduct, openDialog, phone, submitButton, type View } from "@/testing/bookingDialog";
import { anEvent, aProduct, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import BookingDialog from "./BookingDialog";

startServer();

const topic = `brand:${phone.id}`;

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
    expect(screen.getByRole("button", { name: "Join waitlist" })).toBeEnabled();
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

  it("with another colour shows the old and the new one", async () => {
    const view = await openLiveDialog();
    await receiveEvent(view, "product.changed", { ...phone, version: 2, colour: "Blue" });
    expect((await screen.findByText("Colour")).nextSibling).toHaveTextContent(
      "Before: Not specifiedNow: Blue",
    );
  });

  it("with another delivery or postage can be booked only after it is accepted", async () => {
    const view = await openLiveDialog();
    await receiveEvent(view, "product.changed", { ...phone, version: 2, delivers: "send", postage: 12 });
    const changes = within(await screen.findByRole("region", { name: "What has changed" }));
    expect(changes.getByText("Meet in person, or sent free of charge")).toBeVisible();
    expect(changes.getByText("Sent for $12")).toBeVisible();
    await view.user.click(screen.getByRole("button", { name: "Accept the changes" }));
    expect(submitButton()).toBeEnabled();
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
