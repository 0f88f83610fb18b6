import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { Booking } from "@/api/types";
import { aBooking, anEvent, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onConfig, onList, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import { findRow } from "@/testing/tables";
import Orders from "./Orders";

startServer();
beforeEach(() => on("get", "/texts", { body: { texts: [], version: 0 } }));

const seller = { name: "Salma Rahman", email: "salma@example.com", phone: "+880 1711", location: "Dhaka" };
const paid = (state: "waiting" | "sent" | "problem" | "settled", overrides: Partial<Booking> = {}) =>
  aBooking({
    paid: true,
    status: "paid",
    seller,
    fulfilment: { state, ...(state === "problem" && { problem: "It is broken" }) },
    ...(state === "problem" && { tabs: ["problem"] }),
    ...overrides,
  });
const renderOrders = (at = "/dashboard/orders") =>
  renderScreen(<Orders evidence={() => null} />, { me: karim, at });

it("shows the buyer, the seller, the price, the age, the status and a problem, with a link to the order", async () => {
  const bookedAt = new Date(Date.now() - 3 * 24 * 3_600_000).toISOString();
  const order = paid("problem", { productName: "Nexus 5", price: 120, bookedAt });
  onList("/orders", "admin", [order, aBooking({ productName: "Unpaid phone" })]);
  renderOrders();
  const row = within(await findRow("Nexus 5"));
  for (const text of ["Karim Uddin", "Salma Rahman", "$120", "3 days ago", "Paid", "Problem", "It is broken"])
    expect(row.getByText(text)).toBeVisible();
  expect(row.getByRole("link", { name: "Nexus 5" })).toHaveAttribute("href", `/dashboard/order/${order._id}`);
  expect(within(await findRow("Unpaid phone")).queryByRole("button")).toBeNull();
});

it.each([
  ["held", aBooking()],
  ["not sent yet", paid("waiting")],
  ["sent, and late", paid("sent", { tabs: ["late"] })],
  ["being refunded", paid("settled", { fulfilment: { state: "settled", outcome: "refund" } })],
])("has no decision about an order that is %s", async (_, order) => {
  onList("/orders", "admin", [order]);
  renderOrders();
  const row = within(await findRow("iPhone 6"));
  expect(row.getByRole("link", { name: "iPhone 6" })).toBeVisible();
  expect(row.queryByRole("button")).toBeNull();
});

it("shows what was paid in all, and the postage in it", async () => {
  onList("/orders", "admin", [paid("waiting", { productName: "Nexus 5", price: 120, postage: 12 })]);
  renderOrders();
  const row = within(await findRow("Nexus 5"));
  expect(row.getByText("$132")).toBeVisible();
  expect(row.getByText("incl. $12 postage")).toBeVisible();
});

it("adds an order that starts to match the filter, and removes one that no longer matches", async () => {
  const problem = paid("problem", { productName: "Broken" });
  onList("/orders", "admin", [problem]);
  const { store } = renderOrders("/dashboard/orders?tab=problem&q=SALMA%40example.com");
  await findRow("Broken");
  expect(callsTo("GET", "/orders")[0]?.url).toContain("tab=problem&q=salma%40example.com");
  const receive = (order: Booking) => receiveEvents(store, anEvent("admin", "order.changed", order));
  receive(paid("waiting", { productName: "Fine" }));
  receive(paid("problem", { productName: "Of another", seller: { ...seller, email: "selim@example.com" } }));
  receive(paid("problem", { productName: "New" }));
  expect(await screen.findByText("New")).toBeVisible();
  expect(screen.queryByText("Fine")).toBeNull();
  expect(screen.queryByText("Of another")).toBeNull();
  receive({
    ...problem,
    version: 3,
    tabs: undefined,
    fulfilment: { state: "settled", outcome: "refund" },
  });
  expect(screen.queryByText("Broken")).toBeNull();
});

it("ignores an event of an earlier version", async () => {
  const order = paid("problem", { productName: "Broken", version: 5 });
  onList("/orders", "admin", [order]);
  const { store } = renderOrders();
  const row = await findRow("Broken");
  const late = { ...order, version: 4, fulfilment: { state: "waiting" as const } };
  receiveEvents(store, anEvent("admin", "order.changed", late));
  expect(within(row).getByText("Problem")).toBeVisible();
});

it("asks for a reason before it refunds an order with a problem", async () => {
  const order = paid("problem", { productName: "Broken" });
  onList("/orders", "admin", [order]);
  on("put", `/bookings/${order._id}/fulfilment`, { body: { acknowledged: true, modifiedCount: 1 } });
  const { user } = renderOrders();
  await user.click(within(await findRow("Broken")).getByRole("button", { name: "Refund" }));
  const dialog = within(screen.getByRole("dialog", { name: "Refund the buyer?" }));
  await user.click(dialog.getByRole("button", { name: /^Refund Karim Uddin \$/ }));
  expect(dialog.getByText("Please give a reason")).toBeVisible();
  await user.type(dialog.getByLabelText("Reason"), "It was broken before");
  await user.click(dialog.getByRole("button", { name: /^Refund Karim Uddin \$/ }));
  expect(await screen.findByText("Refund Started")).toBeVisible();
  expect(callsTo("PUT", `/bookings/${order._id}/fulfilment`)[0]?.body).toEqual({
    action: "settle",
    outcome: "refund",
    reason: "It was broken before",
  });
});

it("has a phone returned first, with what was said about the order as it is now", async () => {
  const order = paid("problem", { productName: "Broken" });
  onList("/orders", "admin", [order]);
  on("put", `/bookings/${order._id}/fulfilment`, { body: { acknowledged: true, modifiedCount: 1 } });
  const { user, store } = renderScreen(
    <Orders evidence={({ fulfilment }) => <p>{`Answer: ${fulfilment?.answer?.text ?? "none"}`}</p>} />,
    { me: karim, at: "/dashboard/orders" },
  );
  await user.click(within(await findRow("Broken")).getByRole("button", { name: "Return first" }));
  const dialog = within(screen.getByRole("dialog", { name: "Have the phone returned first?" }));
  expect(dialog.getByText("Answer: none")).toBeVisible();
  const answer = { text: "It was whole", at: "2026-11-21T10:00:00Z" };
  const answered = { ...order, version: 2, fulfilment: { state: "problem" as const, answer } };
  receiveEvents(store, anEvent("admin", "order.changed", answered));
  expect(await dialog.findByText("Answer: It was whole")).toBeVisible();
  await user.type(dialog.getByLabelText("Reason"), "Send it back");
  await user.click(dialog.getByRole("button", { name: "Return first, then refund" }));
  await waitFor(() =>
    expect(callsTo("PUT", `/bookings/${order._id}/fulfilment`)[0]?.body).toEqual({
      action: "settle",
      outcome: "return",
      reason: "Send it back",
    }),
  );
});

it.each([
  ["returning", "Returning"],
  ["sentBack", "Sent back"],
] as const)("names the state %s", async (state, label) => {
  onList("/orders", "admin", [paid("sent", { productName: "Broken", fulfilment: { state } })]);
  renderOrders();
  expect(within(await findRow("Broken")).getByText(label)).toBeVisible();
});

it("refunds a completed order, and shows the server's message when it fails", async () => {
  const order = paid("settled", { productName: "Done" });
  onList("/orders", "admin", [order]);
  on("post", `/orders/${order._id}/refund`, errorResponse(409, "This order is being refunded already"));
  const { user } = renderOrders();
  const row = within(await findRow("Done"));
  expect(row.queryByRole("button", { name: "Release money" })).toBeNull();
  await user.click(row.getByRole("button", { name: "Refund" }));
  const dialog = within(screen.getByRole("dialog"));
  await user.type(dialog.getByLabelText("Reason"), "Goodwill");
  await user.click(dialog.getByRole("button", { name: /^Refund Karim Uddin \$/ }));
  expect(await dialog.findByText("This order is being refunded already")).toBeVisible();
});

const money = { charged: 12000, refunded: 0, commission: 600, paidOut: 0, waiting: 11400 };
const due = (overrides: Partial<Booking> = {}) =>
  paid("settled", { price: 120, money, payout: { state: "due", cents: 11400 }, ...overrides });

it("shows the money of an order, and marks it as paid out with a reference", async () => {
  const order = due({ productName: "Sold" });
  onList("/orders", "admin", [order]);
  on("put", "/orders/payouts", { body: { acknowledged: true, modifiedCount: 1 } });
  const { user, store } = renderOrders();
  const row = within(await findRow("Sold"));
  for (const text of ["$120", "$6 commission", "To pay out: $114"]) expect(row.getByText(text)).toBeVisible();
  await user.click(await row.findByRole("button", { name: "Mark as paid out" }));
  const dialog = within(screen.getByRole("dialog", { name: "Have you paid the seller?" }));
  expect(dialog.getByText("$114")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Mark $114 as paid to Salma Rahman" }));
  expect(dialog.getByText("Please enter the reference")).toBeVisible();
  await user.type(dialog.getByLabelText("Reference"), " transfer 1 ");
  await user.click(dialog.getByRole("button", { name: "Mark $114 as paid to Salma Rahman" }));
  expect(await screen.findByText("Marked as Paid Out")).toBeVisible();
  expect(callsTo("PUT", "/orders/payouts")[0]?.body).toEqual({
    ids: [order._id],
    reference: "transfer 1",
  });

  const payout = {
    state: "paidOut" as const,
    cents: 11400,
    reference: "transfer 1",
    at: "2026-11-25T04:00:00Z",
  };
  const changed = { ...order, version: 2, payout };
  receiveEvents(store, anEvent("admin", "order.changed", changed));
  expect(row.getByText("Paid out: $114")).toBeVisible();
  expect(row.getByText("transfer 1, 25 Nov 2026")).toBeVisible();
  expect(row.queryByRole("button", { name: /^Mark/ })).toBeNull();
  await user.click(row.getByRole("button", { name: /^Refund/ }));
  expect(screen.getByText(/has already been paid/)).toBeVisible();
});

it("records what a seller has paid back, with a reference", async () => {
  const payout = {
    state: "debt" as const,
    cents: 11400,
    reference: "transfer 1",
    at: "2026-11-25T04:00:00Z",
  };
  const order = paid("settled", { productName: "Sold", paid: false, status: "refunded", payout });
  onList("/orders", "admin", [order]);
  on("put", `/orders/${order._id}/repayment`, { body: { acknowledged: true, modifiedCount: 1 } });
  const { user, store } = renderOrders();
  const row = within(await findRow("Sold"));
  expect(row.getByText("Owed by the seller: $114")).toBeVisible();
  await user.click(row.getByRole("button", { name: "Mark as paid back" }));
  const dialog = within(screen.getByRole("dialog", { name: "Has the seller paid this back?" }));
  for (const text of ["$114", "Salma Rahman"]) expect(dialog.getByText(text)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Mark $114 as paid back by Salma Rahman" }));
  expect(dialog.getByText("Please enter the reference")).toBeVisible();
  await user.type(dialog.getByLabelText("Reference"), "bank 7");
  await user.click(dialog.getByRole("button", { name: "Mark $114 as paid back by Salma Rahman" }));
  expect(await screen.findByText("Marked as Paid Back")).toBeVisible();
  expect(callsTo("PUT", `/orders/${order._id}/repayment`)[0]?.body).toEqual({ reference: "bank 7" });

  const repaid = { ...payout, state: "repaid" as const, reference: "bank 7" };
  const changed = { ...order, version: 2, payout: repaid };
  receiveEvents(store, anEvent("admin", "order.changed", changed));
  expect(row.getByText("Paid back by the seller: $114")).toBeVisible();
  expect(row.getByText("bank 7, 25 Nov 2026")).toBeVisible();
  expect(row.queryByRole("button")).toBeNull();
});

it.each(["off", "stripe"] as const)(
  "has no button to mark an order as paid out if payouts are %s",
  async (payouts) => {
    onConfig({ payouts });
    onList("/orders", "admin", [due({ productName: "Sold" })]);
    renderOrders();
    const row = within(await findRow("Sold"));
    await waitFor(() => expect(callsTo("GET", "/config")).toHaveLength(1));
    expect(row.getByRole("button", { name: /^Refund/ })).toBeVisible();
    expect(row.queryByRole("button", { name: /^Mark/ })).toBeNull();
  },
);

it("shows a dispute, and has no decision while it is open", async () => {
  const dispute = { state: "open" as const, openedAt: "2026-11-25T04:00:00Z" };
  const order = paid("problem", { productName: "Sold", dispute });
  onList("/orders", "admin", [order]);
  const { store } = renderOrders();
  const row = within(await findRow("Sold"));
  expect(row.getByText("Disputed")).toBeVisible();
  expect(row.queryByRole("button")).toBeNull();
  const won = { ...order, version: 2, dispute: { ...dispute, state: "won" as const } };
  receiveEvents(store, anEvent("admin", "order.changed", won));
  expect(row.getByText("Dispute won")).toBeVisible();
  expect(row.getByRole("button", { name: "Release money" })).toBeVisible();
});

it("removes an order from the due payouts when it is paid out", async () => {
  const order = due({ productName: "Sold" });
  onList("/orders", "admin", [order]);
  const { store } = renderOrders("/dashboard/orders?payout=due");
  await findRow("Sold");
  expect(callsTo("GET", "/orders")[0]?.url).toContain("payout=due");
  const changed = { ...order, version: 2, payout: { state: "paidOut" as const, cents: 11400 } };
  receiveEvents(store, anEvent("admin", "order.changed", changed));
  expect(screen.queryByText("Sold")).toBeNull();
});

it("downloads all pages of the due payouts, and no cell is a formula", async () => {
  const files: Blob[] = [];
  const names: string[] = [];
  URL.createObjectURL = (file: Blob) => `blob:${files.push(file)}`;
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const settled = { state: "settled" as const, settledAt: "2026-11-24T20:00:00Z" };
  onList("/orders", "admin", [
    due({ seller: { ...seller, name: "=SUM(A1)" }, fulfilment: settled }),
    ...Array.from({ length: 210 }, () => due({ fulfilment: settled })),
  ]);
  const { user } = renderOrders();
  await user.click(screen.getByRole("button", { name: "Export payouts due (CSV)" }));
  await waitFor(() => expect(files).toHaveLength(1));
  expect(names[0]).toMatch(/^payouts-due-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await files[0]!.text()).trimEnd().split("\r\n");
  expect(lines).toHaveLength(212);
  expect(lines[0]).toContain('"Seller","Email","Amount (USD)","Order"');
  expect(lines.at(-1)).toMatch(
    /^"'=SUM\(A1\)","salma@example.com","114.00","[0-9a-f]{24}","iPhone 6","2026-11-24"$/,
  );
});

it("shows that nothing is due instead of downloading an empty file", async () => {
  onList("/orders", "admin", []);
  const { user } = renderOrders();
  await user.click(screen.getByRole("button", { name: "Export payouts due (CSV)" }));
  expect(await screen.findByText("No money is due to a seller")).toBeVisible();
});

it("sends the filter to the server, and has a button for all orders", async () => {
  onList("/orders", "admin", []);
  const { user } = renderOrders();
  expect(await screen.findByText("There are no orders yet")).toBeVisible();
  const tab = (name: string) => screen.getByRole("button", { name });
  const asked = async (query: string) =>
    waitFor(() => expect(callsTo("GET", "/orders").at(-1)?.url).toContain(query));
  expect(tab("All")).toHaveAttribute("aria-pressed", "true");
  await user.click(tab("Late"));
  await asked("/orders?tab=late&");
  expect(tab("Late")).toHaveAttribute("aria-pressed", "true");
  expect(tab("All")).toHaveAttribute("aria-pressed", "false");
  await user.selectOptions(screen.getByLabelText("Status"), "Paid");
  await asked("tab=late&status=paid&");
  await user.selectOptions(screen.getByLabelText("Payout"), "Owed by the seller");
  await asked("tab=late&status=paid&payout=debt&");
  await user.click(await screen.findByRole("button", { name: "Show all" }));
  expect(await screen.findByText("There are no orders yet")).toBeVisible();
  expect(tab("All")).toHaveAttribute("aria-pressed", "true");
  await user.click(tab("To pay out"));
  await asked("/orders?tab=payout&");
});

it("searches during typing: a name as it is, an email address in lower case", async () => {
  onList("/orders", "admin", []);
  const { user } = renderOrders("/dashboard/orders?tab=problem");
  const search = screen.getByRole("searchbox", { name: "Search" });
  await user.type(search, " Karim  Ud ");
  await waitFor(() => expect(callsTo("GET", "/orders").at(-1)?.url).toContain("tab=problem&q=Karim+Ud&"));
  // What is typed stays in a filter that is chosen before the pause ends.
  await user.clear(search);
  await user.type(search, "Karim@Example.com");
  await user.selectOptions(screen.getByLabelText("Status"), "Paid");
  await waitFor(() =>
    expect(callsTo("GET", "/orders").at(-1)?.url).toContain("status=paid&q=karim%40example.com&"),
  );
  await user.click(await screen.findByRole("button", { name: "Show all" }));
  expect(search).toHaveValue("");
});

it("ignores values in the address that it does not know", async () => {
  onList("/orders", "admin", []);
  renderOrders("/dashboard/orders?tab=toString&status=lost&payout=never");
  expect(await screen.findByText("There are no orders yet")).toBeVisible();
  expect(callsTo("GET", "/orders")[0]?.url).toMatch(/^\/orders\?limit=/);
});

it("shows an error with a retry button", async () => {
  on("get", "/orders", errorResponse(503, "Please try again in a moment"));
  const { user } = renderOrders();
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  onList("/orders", "admin", [paid("waiting", { productName: "Nexus 5" })]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Nexus 5")).toBeVisible();
});

it.each([
  ["problem", {}, "Release money", "Release $120 to Salma Rahman"],
  ["problem", {}, "Refund", "Refund Karim Uddin $120"],
  ["problem", { price: 1250 }, "Release money", "Release $1,250 to Salma Rahman"],
  ["settled", {}, "Refund", "Refund Karim Uddin $120"],
  ["problem", { delivery: "send", postage: 12 }, "Refund", "Refund Karim Uddin $132"],
  ["settled", { userName: "" }, "Refund", "Refund the buyer $120"],
  ["problem", { seller: undefined }, "Release money", "Release $120 to the seller"],
] as const)(
  "the button of a dialog names the sum and the person: %s %o",
  async (state, overrides, opener, name) => {
    onList("/orders", "admin", [paid(state, { productName: "Nexus", price: 120, ...overrides })]);
    const { user } = renderOrders();
    await user.click(within(await findRow("Nexus")).getByRole("button", { name: opener }));
    expect(within(screen.getByRole("dialog")).getByRole("button", { name })).toBeVisible();
  },
);
