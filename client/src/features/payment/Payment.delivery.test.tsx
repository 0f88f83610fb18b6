import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Booking } from "@/api/types";
import { createDeferred } from "@/testing/deferred";
import { anEvent, karim } from "@/testing/factories";
import {
  anAddress,
  findPay,
  onDelivery,
  onPayment,
  renderPayment,
  renderReadyPayment,
  SECRET,
  withDelivery,
} from "@/testing/paymentScreen";
import { callsTo, errorResponse, type MockResponse, on, startServer } from "@/testing/server";
import { receiveEvents } from "@/testing/serverScreen";
import { anIntent, aStripeError, startStripe, stripe } from "@/testing/stripe";

startServer();
startStripe();

const offersBoth = { delivers: "both", sendPostage: 12 } as const;
const onlySends = { delivers: "send", delivery: "send", sendPostage: 12, postage: 12, price: 120 } as const;

const radio = (name: string) => screen.getByRole("radio", { name });
const field = (label: string) => screen.getByLabelText(label);
const rememberBox = () => screen.getByRole("checkbox", { name: "Remember this address for my next order" });
const useAddress = () => screen.getByRole("button", { name: "Use this address" });
const secretRequests = () => callsTo("POST", "/create-payment-intent");

async function typeAddress(user: UserEvent) {
  await waitFor(() => expect(field("Name")).toHaveValue("Karim Uddin"));
  await user.type(field("Street and number"), anAddress.street);
  await user.type(field("Postcode"), anAddress.postcode);
  await user.type(field("Town"), anAddress.town);
}

/** Renders an order whose phone the seller only sends. */
async function renderSent(overrides: Partial<Booking> = {}) {
  const server = onPayment({ ...onlySends, ...overrides });
  const path = onDelivery(server);
  const view = renderPayment(server.booking._id);
  return { ...view, server, path, pay: await findPay() };
}

describe("the choice of the delivery", () => {
  it("says what the buyer pays in all for each, and begins with the order's", async () => {
    await renderReadyPayment(offersBoth);
    const group = within(screen.getByRole("radiogroup", { name: "How do you want to get the phone?" }));
    expect(group.getAllByRole("radio")).toHaveLength(2);
    expect(radio("Meet the seller: $120")).toBeChecked();
    expect(radio("Sent to you: $132")).not.toBeChecked();
    expect(callsTo("GET", "/identity/me")).toHaveLength(0);
  });

  it.each([
    [{ delivers: "meet" }, "You meet the seller. You agree on the time and the place after you have paid."],
    [onlySends, "The seller sends you the phone. Postage is $12."],
    [{ ...onlySends, sendPostage: 0, postage: 0 }, "The seller sends you the phone. Postage is free."],
  ] as const)("is a sentence if there is nothing to choose: %o", async (overrides, text) => {
    const server = onPayment(overrides);
    onDelivery(server);
    renderPayment(server.booking._id);
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole("radio")).toBeNull();
    await findPay();
  });

  it("to meet is saved at once, and the payment starts anew with the new total", async () => {
    const { user, path, pay, server } = await renderSent({
      ...offersBoth,
      addressId: "a1",
      address: anAddress,
    });
    await waitFor(() => expect(pay).toBeEnabled());
    expect(screen.getByText("Please pay $132 for your booking")).toBeVisible();
    on("post", "/create-payment-intent", { body: { clientSecret: "pi_9_secret_9" } });
    await user.click(radio("Meet the seller: $120"));
    expect(await screen.findByText("Please pay $120 for your booking")).toBeVisible();
    expect(callsTo("PUT", path).map(({ body }) => body)).toEqual([{ delivery: "meet" }]);
    await waitFor(() => expect(secretRequests()).toHaveLength(2));
    expect(secretRequests().at(-1)?.body).toEqual({ price: 120, bookingId: server.booking._id });
    await waitFor(() => expect(pay).toBeEnabled());
    await user.click(pay);
    await waitFor(() => expect(stripe.confirmCardPayment.mock.calls[0]?.[0]).toBe("pi_9_secret_9"));
  });

  it("to meet is undone if it can't be saved, and the message is shown", async () => {
    const { user, path } = await renderSent({ ...offersBoth, addressId: "a1", address: anAddress });
    on("put", path, errorResponse(409, "Your payment is being processed"));
    await user.click(radio("Meet the seller: $120"));
    expect(await screen.findByText("Your payment is being processed")).toBeVisible();
    expect(radio("Sent to you: $132")).toBeChecked();
  });

  it("to have it sent is not paid before there is an address, and can be taken back", async () => {
    const { user, pay, server } = await renderReadyPayment(offersBoth);
    const path = onDelivery(server);
    await user.click(radio("Sent to you: $132"));
    expect(pay).toBeDisabled();
    expect(pay).toHaveAccessibleDescription("You can pay when the address is saved.");
    await user.click(radio("Meet the seller: $120"));
    expect(pay).toBeEnabled();
    expect(callsTo("PUT", path)).toHaveLength(0);
    expect(secretRequests()).toHaveLength(1);
  });

  it("can't be changed while a payment is being made", async () => {
    const confirmation = createDeferred<ReturnType<typeof anIntent>>();
    stripe.confirmCardPayment.mockReturnValue(confirmation.promise);
    const { user, pay } = await renderReadyPayment(offersBoth);
    await user.click(pay);
    expect(radio("Sent to you: $132")).toBeDisabled();
    confirmation.resolve(anIntent("succeeded"));
    expect(await screen.findByText("pi_1")).toBeVisible();
    expect(screen.queryByRole("radio")).toBeNull();
  });
});

describe("the address", () => {
  it("is saved before the secret is requested, and then shown with Change", async () => {
    const { user, path, pay } = await renderSent();
    expect(pay).toBeDisabled();
    await typeAddress(user);
    expect(secretRequests()).toHaveLength(0);
    await user.click(useAddress());
    expect(await screen.findByRole("button", { name: "Change the address" })).toBeVisible();
    expect(screen.getByText(/Road 11, House 4/)).toHaveTextContent("Karim Uddin Road 11, House 4 1212 Dhaka");
    expect(screen.queryByRole("form", { name: "Your address" })).toBeNull();
    expect(callsTo("PUT", path).map(({ body }) => body)).toEqual([
      { delivery: "send", address: anAddress, remember: false },
    ]);
    await waitFor(() => expect(pay).toBeEnabled());
    expect(secretRequests()).toHaveLength(1);
  });

  it("has a field for each part, which browsers fill in, and all are required", async () => {
    const { user, path } = await renderSent();
    await waitFor(() => expect(field("Name")).toHaveValue("Karim Uddin"));
    for (const [label, autoComplete] of [
      ["Name", "name"],
      ["Street and number", "address-line1"],
      ["Postcode", "postal-code"],
      ["Town", "address-level2"],
    ] as const)
      expect(field(label)).toHaveAttribute("autocomplete", autoComplete);
    await user.clear(field("Name"));
    await user.click(useAddress());
    for (const label of ["Name", "Street and number", "Postcode", "Town"])
      expect(await screen.findByText(`${label} is required`)).toBeVisible();
    expect(callsTo("PUT", path)).toHaveLength(0);
  });

  it("is filled in with the remembered one, which can be forgotten", async () => {
    const { booking, ...server } = onPayment(onlySends);
    const path = onDelivery({ ...server, booking }, anAddress);
    const { user } = renderPayment(booking._id);
    await findPay();
    await waitFor(() => expect(field("Town")).toHaveValue("Dhaka"));
    expect(rememberBox()).toBeChecked();
    await user.click(rememberBox());
    await user.click(useAddress());
    await waitFor(() =>
      expect(callsTo("PUT", path)).toMatchObject([{ body: { address: anAddress, remember: false } }]),
    );
  });

  it("is remembered on request", async () => {
    const { user, path } = await renderSent();
    await typeAddress(user);
    expect(rememberBox()).not.toBeChecked();
    await user.click(rememberBox());
    await user.click(useAddress());
    await waitFor(() => expect(callsTo("PUT", path)).toMatchObject([{ body: { remember: true } }]));
  });

  it("that is typed is kept when the remembered one comes later, and replaces it", async () => {
    const server = onPayment(onlySends);
    const path = onDelivery(server);
    const me = createDeferred<MockResponse>();
    on("get", "/identity/me", () => me.promise);
    const { user } = renderPayment(server.booking._id);
    await findPay();
    await typeAddress(user);
    me.resolve({ body: { ...karim, address: { ...anAddress, town: "Sylhet" } } });
    await waitFor(() => expect(rememberBox()).toBeChecked());
    expect(field("Town")).toHaveValue("Dhaka");
    await user.click(useAddress());
    await waitFor(() =>
      expect(callsTo("PUT", path)).toMatchObject([{ body: { address: anAddress, remember: true } }]),
    );
  });

  it("that is remembered is not forgotten while it is not known", async () => {
    const { user, path } = await renderSent();
    await typeAddress(user);
    on("get", "/identity/me", errorResponse(500, "Broken"));
    await user.click(useAddress());
    await user.click(await screen.findByRole("button", { name: "Change the address" }));
    await waitFor(() => expect(callsTo("GET", "/identity/me").length).toBeGreaterThan(1));
    await user.type(field("Town"), " 2");
    await user.click(useAddress());
    await waitFor(() => expect(callsTo("PUT", path)).toHaveLength(2));
    expect(callsTo("PUT", path)[1]?.body).toEqual({
      delivery: "send",
      address: { ...anAddress, town: "Dhaka 2" },
    });
  });

  it("has the server's errors at their fields, and others in a message; what was typed is kept", async () => {
    const { user, path } = await renderSent();
    await typeAddress(user);
    on(
      "put",
      path,
      errorResponse(422, "Postcode is not valid", { "address.postcode": "Postcode is not valid" }),
    );
    await user.click(useAddress());
    expect(await screen.findByText("Postcode is not valid")).toBeVisible();
    expect(field("Postcode")).toBeInvalid();
    on("put", path, errorResponse(409, "This booking has ended"));
    await user.click(useAddress());
    expect(await screen.findByText("This booking has ended")).toBeVisible();
    expect(field("Town")).toHaveValue("Dhaka");
  });

  it("can be changed, and kept; Pay waits meanwhile", async () => {
    const { user, path, pay } = await renderSent({ addressId: "a1", address: anAddress });
    await waitFor(() => expect(pay).toBeEnabled());
    await user.click(screen.getByRole("button", { name: "Change the address" }));
    await waitFor(() => expect(field("Street and number")).toHaveValue(anAddress.street));
    expect(pay).toBeDisabled();
    await user.click(screen.getByRole("button", { name: "Keep the address" }));
    expect(pay).toBeEnabled();
    await user.click(screen.getByRole("button", { name: "Change the address" }));
    await user.type(field("Street and number"), "b");
    await user.click(useAddress());
    expect(await screen.findByText(/House 4b/)).toBeVisible();
    expect(callsTo("PUT", path)).toHaveLength(1);
    expect(secretRequests()).toHaveLength(1);
  });
});

describe("a change in another tab", () => {
  /** The event of the order with this delivery; events have no address. */
  const changed = ({ booking }: { booking: Booking }) => {
    const { address: _, ...next } = withDelivery(booking, "send", anAddress);
    return anEvent("me", "booking.changed", next);
  };

  it("of the total starts the payment anew, and the address is fetched", async () => {
    const { store, pay, user, server } = await renderReadyPayment(offersBoth);
    const event = changed(server);
    server.booking = withDelivery(server.booking, "send", anAddress);
    on("post", "/create-payment-intent", { body: { clientSecret: "pi_9_secret_9" } });
    receiveEvents(store, event);
    expect(screen.getByText("Please pay $132 for your booking")).toBeVisible();
    expect(await screen.findByText(/Road 11, House 4/)).toBeVisible();
    await waitFor(() => expect(secretRequests()).toHaveLength(2));
    await waitFor(() => expect(pay).toBeEnabled());
    await user.click(pay);
    await waitFor(() => expect(stripe.confirmCardPayment.mock.calls[0]?.[0]).toBe("pi_9_secret_9"));
  });

  it("of the total waits for the end of a payment in this tab", async () => {
    const confirmation = createDeferred<ReturnType<typeof aStripeError>>();
    stripe.confirmCardPayment.mockReturnValue(confirmation.promise);
    const { store, pay, user, server } = await renderReadyPayment(offersBoth);
    await user.click(pay);
    const event = changed(server);
    server.booking = withDelivery(server.booking, "send", anAddress);
    receiveEvents(store, event);
    await screen.findByText(/Road 11, House 4/);
    expect(secretRequests()).toHaveLength(1);
    expect(stripe.confirmCardPayment.mock.calls[0]?.[0]).toBe(SECRET);
    confirmation.resolve(aStripeError({ code: "card_declined", message: "Declined" }, "canceled"));
    await waitFor(() => expect(secretRequests()).toHaveLength(2));
    expect(await findPay()).toBeVisible();
  });
});

it("the summary has the price, the postage and the total, also before the choice", async () => {
  const { store, server } = await renderReadyPayment(offersBoth);
  const sums = () =>
    within(screen.getByRole("region", { name: "Your booking" }))
      .getAllByRole("definition")
      .map(({ textContent }) => textContent);
  expect(sums()).toEqual(expect.arrayContaining(["None", "$120"]));
  server.booking = withDelivery(server.booking, "send", anAddress);
  receiveEvents(store, anEvent("me", "booking.changed", server.booking));
  expect(sums()).toEqual(expect.arrayContaining(["$120", "$12", "$132"]));
  await screen.findByText(/Road 11, House 4/);
});
