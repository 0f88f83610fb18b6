import { screen, waitFor, within } from "@testing-library/react";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Booking, Offer } from "@/api/types";
import { onSignedInUser, renderApp } from "@/testing/app";
import { aCase, onCases } from "@/testing/cases";
import { aBooking, anEvent, anOffer, aProduct, aUser, karim, salma } from "@/testing/factories";
import { callsTo, errorResponse, on, onConfig, onList, startServer } from "@/testing/server";
import { receiveEvents } from "@/testing/serverScreen";

startServer();
// Loads the code of the screens in advance: on a busy machine this takes long.
beforeAll(() =>
  Promise.all([import("./RequireUser"), import("./routes/DashboardRoute"), import("./routes/OverviewRoute")]),
);
beforeEach(() => {
  const sums = { earned: 0, waiting: 0, handover: 32000, due: 11400, paidOut: 124050, payouts: "manual" };
  on("get", "/earnings", { body: { ...sums, lines: [] } });
});

/** The value of a number, by its label. */
const statValue = (label: string) =>
  screen.getByText(label, { selector: "dt" }).nextElementSibling?.textContent;
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const findList = async (name = "What comes next") => within(await screen.findByRole("region", { name }));
const rowTexts = (list: Awaited<ReturnType<typeof findList>>) =>
  list.getAllByRole("listitem").map(({ textContent }) => textContent);

/** An order that was paid at noon of this day, and is to be handed over five days later. */
const aPaidOrder = (day: number, overrides: Partial<Booking> = {}) =>
  aBooking({
    status: "paid",
    paid: true,
    fulfilment: {
      state: "waiting",
      paidAt: `2026-11-${day}T12:00:00Z`,
      sendBy: `2026-11-${day + 5}T12:00:00Z`,
    },
    ...overrides,
  });

test("a moderator's overview has cases and sellers, and fetches no order", async () => {
  onSignedInUser(karim, "moderator");
  onList("/users/sellers", "admin", [aUser({ name: "Nadia", accountType: "Seller" })]);
  onCases([aCase()]);
  renderApp("/dashboard");
  const list = await findList("To do, oldest first");
  expect(rowTexts(list)).toHaveLength(2);
  const menu = within(screen.getByRole("navigation", { name: "Dashboard" }));
  expect(menu.queryByRole("link", { name: "Orders" })).toBeNull();
  expect(callsTo("GET", "/orders")).toEqual([]);
});

test("the seller's overview shows the phones and where the money is, and is updated by events", async () => {
  onSignedInUser(salma, "seller");
  const phone = aProduct({ name: "Held phone", resalePrice: 90, booked: true, heldUntil: inAnHour() });
  const otherPhones = [
    aProduct({ resalePrice: 100 }),
    aProduct({ resalePrice: 60, booked: true, sold: true }),
  ];
  onList("/products", "me", [phone, ...otherPhones]);
  const { store } = renderApp("/dashboard");
  const list = await findList();
  expect(rowTexts(list)).toEqual([
    expect.stringMatching(/^Held phoneHeld for a buyer who has to pay \$90: .* left$/),
  ]);
  expect(statValue("Available")).toBe("1 for $100");
  await waitFor(() => expect(statValue("Waiting for handover")).toBe("$320"));
  expect(statValue("To be paid out")).toBe("$114");
  expect(statValue("Paid out")).toBe("$1,240.50");
  const paid = { ...phone, sold: true, version: 2 };
  receiveEvents(store, anEvent("me", "product.changed", paid));
  // The row is not moved, and shows the new status.
  expect(rowTexts(list)).toEqual(["Held phone$90Paid"]);
  receiveEvents(store, anEvent("me", "product.added", aProduct({ resalePrice: 50 })));
  expect(statValue("Available")).toBe("2 for $150");
});

test("the overview shows the offers that wait for an answer, live", async () => {
  onSignedInUser(salma, "seller");
  onList("/products", "me", []);
  onList("/bookings", "me", []);
  const [open] = onList("/offers", "me", [
    anOffer({ threadID: "t1" }),
    anOffer({ price: 150, by: "seller", status: "countered" }),
    anOffer({ status: "declined" }),
  ]);
  const { store } = renderApp("/dashboard");
  const list = await findList();
  const title = "Answer the offer of $140 for Nokia 3310";
  expect(rowTexts(list)).toEqual([
    expect.stringMatching(
      /^Answer the offer of \$140 for Nokia 3310Listed for \$180\. Time to answer: .* left/,
    ),
  ]);
  expect(list.getByRole("link", { name: title })).toHaveAttribute("href", "/dashboard/messages/t1");
  const withdrawn: Offer = { ...(open as Offer), status: "withdrawn", version: 2 };
  receiveEvents(store, anEvent("me", "offer.changed", withdrawn));
  expect(rowTexts(list)).toEqual([`${title}This offer no longer waits for you.See messages`]);
});

test("the buyer's overview shows the prices that sellers ask, after what is to be paid", async () => {
  onSignedInUser(karim, "buyer");
  onList("/bookings", "me", [aBooking({ productName: "Held" })]);
  onList("/offers", "me", [
    anOffer({ role: "buyer", by: "seller", status: "countered", price: 160 }),
    anOffer({ role: "buyer" }),
  ]);
  renderApp("/dashboard");
  expect(rowTexts(await findList())).toEqual([
    expect.stringMatching(/^Held/),
    expect.stringMatching(/^Answer: the seller asks \$160 for Nokia 3310/),
  ]);
});

test("the seller's overview shows what to hand over, the most urgent first: to whom, how and by when", async () => {
  onSignedInUser(salma, "seller");
  onList("/products", "me", [aProduct({ name: "Held phone", booked: true })]);
  const [later, sooner] = onList("/bookings", "me", [
    aPaidOrder(20, { side: "seller", productName: "Later", delivery: "send" }),
    aPaidOrder(18, { side: "seller", productName: "Sooner", userName: "" }),
    aPaidOrder(10, { side: "seller", productName: "Sent", fulfilment: { state: "sent" } }),
    aPaidOrder(10, { side: "seller", productName: "Refunded", status: "refunded" }),
  ]);
  const { store } = renderApp("/dashboard");
  const list = await findList();
  const rows = [
    /^SoonerTo hand over\. the buyer paid on 18 Nov 2026; do it by 23 Nov 2026, \d\d:\d\d, or .*Meet$/,
    /^LaterTo hand over\. Karim Uddin paid on 20 Nov 2026; do it by 25 Nov 2026, \d\d:\d\d, or .*Send it$/,
    /^Held phone/,
  ] as const;
  expect(rowTexts(list)).toEqual(rows.map((row) => expect.stringMatching(row)));
  for (const [name, order] of [
    ["Meet", sooner],
    ["Send it", later],
    ["Later", later],
  ] as const)
    expect(list.getByRole("link", { name })).toHaveAttribute("href", `/dashboard/order/${order?._id}`);
  // A sale that is sent keeps its place.
  const changed = { ...sooner!, version: 2, fulfilment: { state: "sent" as const } };
  receiveEvents(store, anEvent("me", "booking.changed", changed));
  expect(rowTexts(list)).toEqual([
    "SoonerYou have nothing to do for this one.See the order",
    expect.stringMatching(rows[1]),
    expect.stringMatching(rows[2]),
  ]);
});

test("the seller's overview says what to do when there is nothing to hand over", async () => {
  onSignedInUser(salma, "seller");
  const phones = onList("/products", "me", [aProduct()]);
  const { unmount } = renderApp("/dashboard");
  expect(await screen.findByText(/^Nothing to hand over/)).toBeVisible();
  unmount();
  phones.pop();
  renderApp("/dashboard");
  expect(await screen.findByText(/^You have no phones for sale yet/)).toBeVisible();
});

test("the seller's overview lowers the price of a phone that nobody watches by one press", async () => {
  onSignedInUser(salma, "seller");
  const listedAt = new Date(Date.now() - 8 * 24 * 3_600_000).toISOString();
  const phones = onList("/products", "me", [
    aProduct({ name: "Overlooked", listedAt, watchers: 0 }),
    aProduct({ name: "For a dollar", listedAt, watchers: 0, resalePrice: 1 }),
    aProduct({ name: "Watched", listedAt, watchers: 1 }),
  ]);
  const path = `/products/${phones[0]!._id}`;
  on("patch", path, errorResponse(409, "This phone is booked"));
  const { user } = renderApp("/dashboard");
  const list = await findList();
  const [first, second] = list.getAllByRole("listitem").map((row) => within(row));
  expect(list.queryByText("Watched")).toBeNull();
  expect(first!.getByText(/^Nobody watches it\. \$180, listed on /)).toBeVisible();
  expect(second!.getByText("For a dollar")).toBeVisible();
  expect(second!.queryByRole("button")).toBeNull();
  await user.click(first!.getByRole("button", { name: "Lower to $171" }));
  expect(await screen.findByText("This phone is booked")).toBeVisible();
  on("patch", path, () => {
    phones[0] = { ...phones[0]!, version: 2, resalePrice: 171 };
    return { body: { acknowledged: true, modifiedCount: 1 } };
  });
  await user.click(first!.getByRole("button", { name: "Lower to $171" }));
  expect(await screen.findByText("The price is $171 now")).toBeVisible();
  expect(callsTo("PATCH", path).at(-1)?.body).toEqual({ resalePrice: 171 });
  expect(first!.getByText("Lowered")).toBeVisible();
  expect(await first!.findByText(/^Nobody watches it\. \$171, listed on /)).toBeVisible();
  expect(first!.queryByRole("button")).toBeNull();
});

test("the statistics appear after the last page of a long list is loaded", async () => {
  onSignedInUser(salma, "seller");
  onList(
    "/products",
    "me",
    Array.from({ length: 130 }, () => aProduct()),
  );
  renderApp("/dashboard");
  expect(await screen.findByText("130 for $23,400")).toBeVisible();
  expect(callsTo("GET", "/products")).toHaveLength(2);
});

test("the buyer's overview shows the orders to pay, the most urgent first, with a link to pay", async () => {
  onSignedInUser(karim, "buyer");
  const late = aBooking({ productName: "Later", price: 30 });
  const soon = aBooking({
    productName: "Sooner",
    price: 20,
    holdUntil: new Date(Date.now() + 60_000).toISOString(),
  });
  onList("/bookings", "me", [soon, late, aBooking({ status: "paid", paid: true, price: 200 })]);
  renderApp("/dashboard");
  const list = await findList();
  // An order from before there were payouts is not on its way.
  expect(rowTexts(list)).toEqual([
    expect.stringMatching(/^SoonerHeld for you\. Pay \$20 to keep it: .* leftPay$/),
    expect.stringMatching(/^LaterHeld for you\. Pay \$30 to keep it: .* leftPay$/),
  ]);
  const [first] = list.getAllByRole("listitem");
  expect(within(first as HTMLElement).getByRole("link", { name: "Pay" })).toHaveAttribute(
    "href",
    `/dashboard/payment/${soon._id}`,
  );
  expect(statValue("To pay")).toBe("$50");
  expect(statValue("Held by us")).toBe("$0");
  expect(statValue("Spent")).toBe("$200");
});

test("the buyer's overview says how a phone is held when there is nothing to do", async () => {
  onSignedInUser(karim, "buyer");
  renderApp("/dashboard");
  expect(await screen.findByText(/^You have no unpaid bookings/)).toBeVisible();
});

test("the buyer's overview shows what is on its way, what comes next, and that we hold the money", async () => {
  onSignedInUser(karim, "buyer");
  const seller = { name: "Salma", email: "salma@example.com", phone: "", location: "" };
  const waiting = aPaidOrder(20, { productName: "Waiting", price: 20, seller });
  const sent = aPaidOrder(18, {
    productName: "Sent",
    price: 30,
    fulfilment: { state: "sent", paidAt: "2026-11-18T12:00:00Z" },
  });
  const received = aPaidOrder(22, {
    productName: "Received",
    price: 40,
    fulfilment: { state: "received", paidAt: "2026-11-22T12:00:00Z" },
  });
  const settled = aPaidOrder(10, { productName: "Settled", price: 200, fulfilment: { state: "settled" } });
  const held = aBooking({ productName: "Held" });
  onList("/bookings", "me", [waiting, sent, received, settled, held]);
  const { store } = renderApp("/dashboard");
  const list = await findList();
  await list.findByText(/We hold your \$20/); // The settings may still be on their way.
  expect(rowTexts(list)).toEqual([
    expect.stringMatching(/^Held/), // What there is to pay is first.
    "SentYour phone is on its way · We hold your $30 until you have the phoneSee the order",
    "WaitingNext: get your phone from Salma · We hold your $20 until you have the phoneSee the order",
    "ReceivedYou have the phoneSee the order",
  ]);
  expect(list.getByRole("link", { name: "Sent" })).toHaveAttribute("href", `/dashboard/order/${sent._id}`);
  expect(statValue("Held by us")).toBe("$90");
  expect(statValue("Spent")).toBe("$290");
  const done = { ...sent, version: 2, fulfilment: { state: "settled" as const } };
  receiveEvents(store, anEvent("me", "booking.changed", done));
  // The row is not moved, and shows the new state.
  expect(rowTexts(list)[1]).toBe("SentThis order is completedSee the order");
  expect(statValue("Held by us")).toBe("$60");
});

test("the seller's overview has the problems to answer and the returned phones to check", async () => {
  onSignedInUser(salma, "seller");
  onList("/products", "me", []);
  const [problem] = onList("/bookings", "me", [
    aPaidOrder(20, {
      side: "seller",
      productName: "Broken",
      fulfilment: { state: "problem", answerBy: "2026-11-22T12:00:00Z", decideBy: "2026-11-27T12:00:00Z" },
    }),
    aPaidOrder(20, {
      side: "seller",
      productName: "Late",
      fulfilment: { state: "problem", late: true, decideBy: "2026-11-26T12:00:00Z" },
    }),
    aPaidOrder(20, {
      side: "seller",
      productName: "Back",
      fulfilment: { state: "sentBack", refundsAt: "2026-11-24T12:00:00Z" },
    }),
    aPaidOrder(20, { side: "seller", productName: "Returning", fulfilment: { state: "returning" } }),
  ]);
  const { store } = renderApp("/dashboard");
  const list = await findList();
  const rows = [
    /^BrokenA problem is reported\. Answer it by 22 Nov 2026, \d\d:\d\d\.Answer$/,
    /^BackCheck the returned phone by 24 Nov 2026, \d\d:\d\d, or the buyer gets the money back\.Check it$/,
    /^LateA problem is reported\. You can still answer it\.Answer$/,
  ] as const;
  expect(rowTexts(list)).toEqual(rows.map((row) => expect.stringMatching(row)));
  const answer = { text: "It was whole", at: "2026-11-21T12:00:00Z" };
  const answered = { ...problem!, version: 2, fulfilment: { state: "problem" as const, answer } };
  receiveEvents(store, anEvent("me", "booking.changed", answered));
  expect(rowTexts(list)[0]).toBe("BrokenYou have nothing to do for this one.See the order");
});

test("the buyer's overview has the phone to return before what is on its way", async () => {
  onSignedInUser(karim, "buyer");
  const seller = { name: "Salma", email: "salma@example.com", phone: "", location: "" };
  const fulfilment = { state: "returning", paidAt: "2026-11-22T12:00:00Z" } as const;
  onList("/bookings", "me", [
    aPaidOrder(18, { productName: "Waiting", seller }),
    aPaidOrder(22, { productName: "Broken", seller, fulfilment }),
  ]);
  renderApp("/dashboard");
  expect(rowTexts(await findList())).toEqual([
    expect.stringMatching(/^BrokenSend the phone back to Salma/),
    expect.stringMatching(/^Waiting/),
  ]);
});

test("the buyer's overview does not say that we hold money if payouts are off", async () => {
  onSignedInUser(karim, "buyer");
  onConfig({ payouts: "off" });
  onList("/bookings", "me", [aPaidOrder(20, { productName: "Waiting" })]);
  renderApp("/dashboard");
  await findList();
  await waitFor(() => expect(callsTo("GET", "/config")).not.toHaveLength(0));
  await waitFor(() => expect(screen.queryByText(/We hold/)).toBeNull());
});

test("the admin's overview shows what there is to do, and an error with a retry button", async () => {
  onSignedInUser(karim, "admin");
  onList("/orders", "admin", []);
  const sellers = onList("/users/sellers", "admin", [
    aUser({ name: "New seller", email: "new+here@example.com", accountType: "Seller" }),
    aUser({ name: "Known seller", accountType: "Seller", status: "verified" }),
  ]);
  on("get", "/cases", errorResponse(503, "Please try again in a moment"));
  const { user } = renderApp("/dashboard");
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  const pixel = aCase();
  onCases([pixel]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  const queue = await findList("To do, oldest first");
  expect(rowTexts(queue)).toHaveLength(2);
  for (const [name, to] of [
    ["New seller: New seller", `/dashboard/person/${sellers[0]?._id}`],
    ["Reported: iPhone 6", `/dashboard/cases/${pixel._id}`],
  ] as const)
    expect(queue.getByRole("link", { name })).toHaveAttribute("href", to);
});

test("the admin's menu counts what waits on its screens, and is updated by events", async () => {
  onSignedInUser(karim, "admin");
  // The same order in each tab: a problem, and money that is due.
  const [order] = onList("/orders", "admin", [aPaidOrder(20, { tabs: ["problem", "payout"] })]);
  onList("/users/sellers", "admin", []);
  onCases([aCase({ state: "appealed" })]);
  const { store } = renderApp("/dashboard");
  const menu = within(await screen.findByRole("navigation", { name: "Dashboard" }));
  expect(await menu.findByTitle("2 wait for you")).toHaveAttribute("href", "/dashboard/orders");
  expect(await menu.findByTitle("1 waits for you")).toHaveAttribute("href", "/dashboard/cases");
  receiveEvents(store, anEvent("admin", "case.changed", aCase()));
  expect(menu.getByRole("link", { name: "Cases" })).toHaveAttribute("title", "2 wait for you");
  const settled = { ...order!, version: 2, tabs: undefined };
  receiveEvents(store, anEvent("admin", "order.changed", settled));
  expect(menu.getByRole("link", { name: "Orders" })).not.toHaveAttribute("title");
});
