import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Booking, Case, Fulfilment, User } from "@/api/types";
import { aCase, aCaseReport, onCases } from "@/testing/cases";
import { aBooking, anEvent, aUser, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onConfig, onList, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import { AdminDesk } from "./AdminDesk";

startServer();

const seller = { name: "Salma Rahman", email: "salma+1@example.com", phone: "+880 1711", location: "Dhaka" };
const DONE = { body: { acknowledged: true, modifiedCount: 1, deletedCount: 1 } };

const anOrder = (
  tab: "problem" | "payout" | "late" | "dispute",
  fulfilment: Fulfilment,
  overrides: Partial<Booking>,
) => aBooking({ paid: true, status: "paid", seller, tabs: [tab], fulfilment, ...overrides });
const aProblem = (overrides: Partial<Booking> = {}) =>
  anOrder("problem", { state: "problem", problemAt: "2025-03-03T10:00:00Z" }, overrides);
const aLateOrder = (overrides: Partial<Booking> = {}) =>
  anOrder("late", { state: "waiting", paidAt: "2025-01-01T10:00:00Z" }, overrides);
const aDueOrder = (overrides: Partial<Booking> = {}) =>
  anOrder(
    "payout",
    { state: "settled", settledAt: "2025-02-02T10:00:00Z" },
    { payout: { state: "due", cents: 11400 }, ...overrides },
  );

interface Lists {
  orders?: Booking[];
  sellers?: User[];
  cases?: Case[];
}

/** Renders the desk. The fake server has these orders, each in its tabs, and these people and cases. */
function renderDesk({ orders = [], sellers = [], cases = [] }: Lists) {
  on("get", "/orders", ({ url }) => {
    const tab = new URL(url).searchParams.get("tab");
    const inTab = orders.filter(({ tabs }) => tabs?.some((one) => one === tab));
    return {
      body: inTab.map((order) => ({ ...order })),
      headers: { "X-Total-Count": String(inTab.length), "Live-Position": "admin=e1-1" },
    };
  });
  onList("/users/sellers", "admin", sellers);
  onCases(cases);
  return renderScreen(<AdminDesk />, { me: karim });
}

const findQueue = async () => within(await screen.findByRole("region", { name: "To do, oldest first" }));
/** Waits for the row with this title. */
const findTask = async (title: string) =>
  within((await (await findQueue()).findByText(title)).closest("li") as HTMLElement);
const rowTexts = async () => (await findQueue()).getAllByRole("listitem").map((row) => row.textContent);

it("has a row of each kind, oldest first, with what it is about and what to press", async () => {
  const nadia = aUser({ name: "Nadia", email: "nadia@example.com", accountType: "Seller" });
  const reports = ["Stolen", "A fake"].map((reason) => aCaseReport({ reason }));
  const [pixel, nokia] = [
    aCase({ openedAt: "2025-10-10T10:00:00Z", reports, reportCount: 2 }),
    aCase({
      state: "appealed",
      appeal: { text: "It is mine", at: "2025-03-01T10:00:00Z", state: "open" },
    }),
  ];
  const [problem, late] = [
    aProblem({ productName: "Broken" }),
    aLateOrder({ productName: "Slow", price: 90 }),
  ];
  const due = [aDueOrder(), aDueOrder()];
  renderDesk({ orders: [problem, late, ...due], sellers: [nadia], cases: [pixel, nokia] });
  expect(await rowTexts()).toEqual([
    expect.stringMatching(/^Late: Slow\d+ days ago · \$90 · Karim Uddin buys from Salma Rahman/),
    expect.stringMatching(/^Pay \$228 to Salma Rahman\d+ days ago · 2 orders/),
    expect.stringMatching(/^Asks to look again: iPhone 6\d+ days ago · It is mineOpen the case$/),
    expect.stringMatching(/^Problem: Broken\d+ days ago · \$180 · Karim Uddin buys from Salma Rahman/),
    expect.stringMatching(/^Reported 2 times: iPhone 6.* · A fakeOpen the case$/),
    expect.stringMatching(/^New seller: Nadia.* · nadia@example\.com/),
  ]);
  for (const [title, act, to, toAct] of [
    ["Problem: Broken", "Decide", `/dashboard/order/${problem._id}`, `/dashboard/order/${problem._id}`],
    ["Late: Slow", "See the order", `/dashboard/order/${late._id}`, `/dashboard/order/${late._id}`],
    [
      "Reported 2 times: iPhone 6",
      "Open the case",
      `/dashboard/cases/${pixel._id}`,
      `/dashboard/cases/${pixel._id}`,
    ],
    [
      "Asks to look again: iPhone 6",
      "Open the case",
      `/dashboard/cases/${nokia._id}`,
      `/dashboard/cases/${nokia._id}`,
    ],
    [
      "Pay $228 to Salma Rahman",
      "Mark as paid out",
      "/dashboard/orders?tab=payout&q=salma%2B1%40example.com",
      null,
    ],
    ["New seller: Nadia", "Make Verified", `/dashboard/person/${nadia._id}`, null],
  ] as const) {
    const row = await findTask(title);
    expect(row.getByRole("link", { name: title })).toHaveAttribute("href", to);
    if (toAct) expect(row.getByRole("link", { name: act })).toHaveAttribute("href", toAct);
    else expect(row.getByRole("button", { name: act })).toBeEnabled();
  }
});

it("says that a problem was not answered in time, and counts from the objection to a returned phone", async () => {
  const late = aProblem({ productName: "Late" });
  late.fulfilment = { ...(late.fulfilment as Fulfilment), late: true };
  const back = aProblem({ productName: "Back" });
  const objection = { text: "It is broken", at: new Date().toISOString() };
  back.fulfilment = { ...(back.fulfilment as Fulfilment), objection };
  renderDesk({ orders: [back, late] });
  expect(await rowTexts()).toEqual([
    expect.stringMatching(/^Problem: Late\d+ days ago · not answered in time · \$180/),
    expect.stringMatching(/^Problem: Back(?!.* days ago)/),
  ]);
});

it("says that there is nothing to do", async () => {
  renderDesk({ sellers: [aUser({ accountType: "Seller", status: "verified" })] });
  expect(await screen.findByText(/^There is nothing to do/)).toBeVisible();
});

it("moves no row when another admin does one: it says that it is done", async () => {
  const [first, second] = [aProblem({ productName: "First" }), aLateOrder({ productName: "Second" })];
  const { store } = renderDesk({ orders: [first, second] });
  await findTask("Problem: First");
  const settled = { ...first, version: 2, tabs: undefined, fulfilment: { state: "settled" as const } };
  receiveEvents(store, anEvent("admin", "order.changed", settled));
  expect(await rowTexts()).toEqual([expect.stringMatching(/^Late: Second/), "Done"]);
  // A new one is added at the end, however long it has waited.
  receiveEvents(store, anEvent("admin", "order.changed", aLateOrder({ productName: "Third" })));
  expect(await rowTexts()).toEqual([
    expect.stringMatching(/^Late: Second/),
    "Done",
    expect.stringMatching(/^Late: Third/),
  ]);
});

it("shows twelve rows, and how many more there are", async () => {
  renderDesk({
    sellers: Array.from({ length: 14 }, (_, n) => aUser({ name: `Seller ${n}`, accountType: "Seller" })),
  });
  const queue = await findQueue();
  expect(queue.getAllByRole("listitem")).toHaveLength(12);
  expect(queue.getByText("and 2 more")).toBeVisible();
  expect(queue.getByText("New seller: Seller 0")).toBeVisible();
  expect(queue.queryByText("New seller: Seller 13")).toBeNull();
});

it.each(["off", "stripe"] as const)("has nothing to pay out if payouts are %s", async (payouts) => {
  onConfig({ payouts });
  renderDesk({ orders: [aProblem(), aDueOrder()] });
  await waitFor(() => expect(callsTo("GET", "/config")).toHaveLength(1));
  await findTask("Problem: iPhone 6");
  expect(await rowTexts()).toHaveLength(1);
});

/** Opens the dialog that pays Salma's two orders; a third one is another seller's. */
async function openPayout() {
  const orders = [
    aDueOrder({ productName: "Nexus 5" }),
    aDueOrder({ productName: "Pixel", payout: { state: "due", cents: 5050 } }),
    aDueOrder({ seller: { ...seller, name: "Rita", email: "rita@example.com" } }),
  ];
  const { user } = renderDesk({ orders });
  const row = await findTask("Pay $164.50 to Salma Rahman");
  await user.click(row.getByRole("button", { name: "Mark as paid out" }));
  const dialog = within(screen.getByRole("dialog", { name: "Have you paid the seller?" }));
  const confirm = dialog.getByRole("button", { name: "Mark $164.50 as paid to Salma Rahman" });
  return { orders, user, dialog, confirm, reference: dialog.getByLabelText("Reference") };
}

it("marks all that is due to a seller as paid out at once, with a reference", async () => {
  const { orders, user, dialog, confirm, reference } = await openPayout();
  for (const text of ["Pixel, Nexus 5", "$164.50", "Salma Rahman"])
    expect(dialog.getByText(text)).toBeVisible();
  await user.click(confirm);
  expect(dialog.getByText("Please enter the reference")).toBeVisible();
  expect(callsTo("PUT", "/orders/payouts")).toHaveLength(0);
  const [nexus, pixel] = orders.map(({ _id }) => _id);
  on("put", "/orders/payouts", () => {
    orders.splice(0, 2);
    return DONE;
  });
  await user.type(reference, " transfer  7 ");
  await user.click(confirm);
  expect(await screen.findByText("Marked as Paid Out")).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(callsTo("PUT", "/orders/payouts").map(({ body }) => body)).toEqual([
    { ids: [pixel, nexus], reference: "transfer 7" },
  ]);
  // The screen is updated without an event, too.
  expect(await (await findQueue()).findByText("Done")).toBeVisible();
  expect((await findTask("Pay $114 to Rita")).getByText(/1 order$/)).toBeVisible();
});

it("pays nobody after Cancel", async () => {
  const { user, dialog, reference } = await openPayout();
  await user.type(reference, "transfer 7");
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(callsTo("PUT", "/orders/payouts")).toHaveLength(0);
});

it.each([
  [
    "of the reference",
    errorResponse(422, "Please check the fields", { reference: "is too long" }),
    "is too long",
  ],
  ["of the payment", errorResponse(409, "An order is paid out already"), "An order is paid out already"],
])("keeps the dialog open, and shows the server's message %s", async (_, response, message) => {
  const { user, dialog, confirm, reference } = await openPayout();
  on("put", "/orders/payouts", response);
  await user.type(reference, "transfer 7");
  await user.click(confirm);
  expect(await dialog.findByText(message)).toBeVisible();
  expect(reference).toHaveValue("transfer 7");
});

it("verifies a seller after a look at their phones", async () => {
  const sellers = [aUser({ name: "Nadia", accountType: "Seller" })];
  const [nadia] = sellers;
  onList("/products", null, []);
  on("put", `/users/seller/${nadia!._id}`, () => {
    sellers[0] = { ...nadia!, version: 2, status: "verified" };
    return DONE;
  });
  const { user } = renderDesk({ sellers });
  await user.click((await findTask("New seller: Nadia")).getByRole("button", { name: "Make Verified" }));
  const dialog = within(screen.getByRole("alertdialog", { name: "Verify Nadia?" }));
  expect(await dialog.findByText("No phones yet")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Make Verified" }));
  expect(await screen.findByText("Seller is Verified Now")).toBeVisible();
  expect(callsTo("PUT", `/users/seller/${nadia!._id}`)[0]?.body).toEqual({ version: 1 });
  expect(await (await findQueue()).findByText("Done")).toBeVisible();
});

it("says that a case is done once another admin has decided it", async () => {
  const one = aCase();
  const { store } = renderDesk({ cases: [one] });
  await findTask("Reported: iPhone 6");
  receiveEvents(store, anEvent("admin", "case.changed", { ...one, version: 2, state: "decided" } as Case));
  expect(await rowTexts()).toEqual(["Done"]);
});

it("says until when a dispute can be answered, until it is answered", async () => {
  const dispute = {
    state: "open",
    openedAt: "2025-06-06T10:00:00Z",
    answerBy: "2125-06-13T10:00:00Z",
  } as const;
  const order = anOrder("dispute", { state: "sent" }, { productName: "Taken", status: "refunded", dispute });
  const { store } = renderDesk({ orders: [order] });
  const row = await findTask("Disputed at the bank: Taken");
  expect(row.getByText(/answer before 13 Jun 2125/)).toBeVisible();
  expect(row.getByRole("link", { name: "See the order" })).toHaveAttribute(
    "href",
    `/dashboard/order/${order._id}`,
  );
  const answered = {
    ...order,
    version: 2,
    tabs: [],
    dispute: { ...dispute, answeredAt: "2025-06-07T10:00:00Z" },
  };
  receiveEvents(store, anEvent("admin", "order.changed", answered));
  await waitFor(() => expect(screen.getByText("Done")).toBeVisible());
});
