import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { eventsReceived } from "@/api/liveActions";
import type { Order } from "@/api/types";
import { aBooking, anEvent, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import Orders from "./Orders";

startServer();

const seller = { name: "Salma Rahman", email: "salma@example.com", phone: "+880 1711", location: "Dhaka" };
const paid = (state: "waiting" | "problem" | "settled", more: Partial<Order> = {}) =>
  aBooking({
    paid: true,
    status: "paid",
    seller,
    fulfilment: { state, ...(state === "problem" && { problem: "It is broken" }) },
    ...more,
  });
const show = (at = "/dashboard/orders") => renderScreen(<Orders />, { me: karim, at });
const rowOf = async (name: string) => (await screen.findByText(name)).closest("tr") as HTMLElement;

it("shows both sides, the price, the status and a problem, with a link to the order", async () => {
  const order = paid("problem", { productName: "Nexus 5", price: 120 });
  onList("/orders", "admin", [order, aBooking({ productName: "Unpaid phone" })]);
  show();
  const row = within(await rowOf("Nexus 5"));
  for (const words of ["Karim Uddin", "Salma Rahman", "$120", "Paid", "Problem", "It is broken"])
    expect(row.getByText(words)).toBeVisible();
  expect(row.getByRole("link", { name: "Nexus 5" })).toHaveAttribute("href", `/dashboard/order/${order._id}`);
  expect(within(await rowOf("Unpaid phone")).queryByRole("button")).toBeNull();
});

it("adds an order that comes to fit the filter, and removes one that no longer fits", async () => {
  const problem = paid("problem", { productName: "Broken" });
  onList("/orders", "admin", [problem]);
  const { store } = show("/dashboard/orders?state=problem&seller=SALMA%40example.com");
  await rowOf("Broken");
  expect(callsTo("GET", "/orders")[0]?.url).toContain("state=problem&seller=salma%40example.com");
  const tell = (order: Order) =>
    act(() => void store.dispatch(eventsReceived([anEvent("admin", "order.changed", order)])));
  tell(paid("waiting", { productName: "Fine" }));
  tell(paid("problem", { productName: "Of another", seller: { ...seller, email: "selim@example.com" } }));
  tell(paid("problem", { productName: "New" }));
  expect(await screen.findByText("New")).toBeVisible();
  expect(screen.queryByText("Fine")).toBeNull();
  expect(screen.queryByText("Of another")).toBeNull();
  tell({ ...problem, version: 3, fulfilment: { state: "settled", outcome: "refund" } });
  expect(screen.queryByText("Broken")).toBeNull();
});

it("ignores an event of an earlier version", async () => {
  const order = paid("problem", { productName: "Broken", version: 5 });
  onList("/orders", "admin", [order]);
  const { store } = show();
  const row = await rowOf("Broken");
  const late = { ...order, version: 4, fulfilment: { state: "waiting" as const } };
  act(() => void store.dispatch(eventsReceived([anEvent("admin", "order.changed", late)])));
  expect(within(row).getByText("Problem")).toBeVisible();
});

it("asks for a reason before it refunds an order with a problem", async () => {
  const order = paid("problem", { productName: "Broken" });
  onList("/orders", "admin", [order]);
  on("put", `/bookings/${order._id}/fulfilment`, { body: { acknowledged: true, modifiedCount: 1 } });
  const { user } = show();
  await user.click(within(await rowOf("Broken")).getByRole("button", { name: "Refund" }));
  const dialog = within(screen.getByRole("dialog", { name: "Refund the buyer?" }));
  await user.click(dialog.getByRole("button", { name: "Refund" }));
  expect(dialog.getByText("Please give a reason")).toBeVisible();
  await user.type(dialog.getByLabelText("Reason"), "It was broken before");
  await user.click(dialog.getByRole("button", { name: "Refund" }));
  expect(await screen.findByText("Refund Started")).toBeVisible();
  expect(callsTo("PUT", `/bookings/${order._id}/fulfilment`)[0]?.body).toEqual({
    action: "settle",
    outcome: "refund",
    reason: "It was broken before",
  });
});

it("refunds a completed order, and shows the server's message when it fails", async () => {
  const order = paid("settled", { productName: "Done" });
  onList("/orders", "admin", [order]);
  on("post", `/orders/${order._id}/refund`, errorResponse(409, "This order is being refunded already"));
  const { user } = show();
  const row = within(await rowOf("Done"));
  expect(row.queryByRole("button", { name: "To the seller" })).toBeNull();
  await user.click(row.getByRole("button", { name: "Refund" }));
  const dialog = within(screen.getByRole("dialog"));
  await user.type(dialog.getByLabelText("Reason"), "Goodwill");
  await user.click(dialog.getByRole("button", { name: "Refund" }));
  expect(await dialog.findByText("This order is being refunded already")).toBeVisible();
});

it("keeps the filter in the address, and shows all again", async () => {
  onList("/orders", "admin", []);
  const { user } = show();
  expect(await screen.findByText("There are no orders yet")).toBeVisible();
  await user.selectOptions(screen.getByLabelText("Handover"), "Problem");
  await waitFor(() => expect(callsTo("GET", "/orders").at(-1)?.url).toContain("state=problem"));
  await user.click(await screen.findByRole("button", { name: "Show all" }));
  expect(await screen.findByText("There are no orders yet")).toBeVisible();
});

it("shows an error with a retry button", async () => {
  on("get", "/orders", errorResponse(503, "Please try again in a moment"));
  const { user } = show();
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  onList("/orders", "admin", [paid("waiting", { productName: "Nexus 5" })]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Nexus 5")).toBeVisible();
});
