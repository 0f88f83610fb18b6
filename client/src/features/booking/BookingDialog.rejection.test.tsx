import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  dialog,
  onProduct,
  openDialog,
  phone,
  submitButton,
  submitPhoneNumber,
} from "@/testing/bookingDialog";
import { aProduct } from "@/testing/factories";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";

startServer();

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
    await user.click(screen.getByRole("button", { name: "Join waitlist" }));
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
