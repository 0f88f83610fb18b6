import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Booking } from "@/api/types";
import { anEvent } from "@/testing/factories";
import { aPaidOrder, button, findHeadline, PAID_AT, posted, renderOrder } from "@/testing/orderScreen";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";
import { receiveEvents } from "@/testing/serverScreen";

startServer();

const SEND = "Send what we know to the bank";
const IN_A_DAY = new Date(Date.now() + 86_400_000).toISOString();

/** An order whose payment is disputed; the bank has taken the money. */
const aDisputedOrder = (dispute: Partial<Booking["dispute"]> = {}) =>
  aPaidOrder(posted, {
    status: "refunded",
    paid: false,
    dispute: { state: "open", openedAt: PAID_AT, answerBy: IN_A_DAY, ...dispute },
  });
const findCard = async () => {
  const heading = await findHeadline("The answer to the bank");
  return heading.parentElement?.parentElement as HTMLElement;
};

it("an admin answers a dispute after a dialog that lists what is sent, and sees when it was answered", async () => {
  const order = aDisputedOrder();
  const { user, store } = renderOrder(order, "admin");
  expect(await findCard()).toHaveTextContent(
    /The buyer disputes this payment at their bank\. Answer before \d+ \w+ \d{4}, \d\d:\d\d\./,
  );
  on("post", `/orders/${order._id}/dispute`, { body: { acknowledged: true, modifiedCount: 1 } });
  await user.click(button(SEND));
  const dialog = within(screen.getByRole("alertdialog", { name: "Send what we know to the bank?" }));
  expect(dialog.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/tracking number/),
      expect.stringMatching(/photographs/),
      expect.stringMatching(/messages/),
    ]),
  );
  expect(callsTo("POST", `/orders/${order._id}/dispute`)).toHaveLength(0);
  await user.click(dialog.getByRole("button", { name: SEND }));
  await waitFor(() => expect(callsTo("POST", `/orders/${order._id}/dispute`)).toHaveLength(1));
  const answered = { ...order, version: 2, dispute: { ...order.dispute, answeredAt: PAID_AT } };
  receiveEvents(store, anEvent("admin", "order.changed", answered));
  expect(await screen.findByText(/^Answered on 20 Nov 2026/)).toBeVisible();
  expect(screen.queryByRole("button", { name: SEND })).toBeNull();
});

it("a refusal is shown, and the admin can try again", async () => {
  const order = aDisputedOrder();
  const { user } = renderOrder(order, "admin");
  await findCard();
  on("post", `/orders/${order._id}/dispute`, errorResponse(503, "Please try again in a moment"));
  await user.click(button(SEND));
  await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: SEND }));
  expect(await screen.findByText(/Please try again in a moment/)).toBeVisible();
  expect(button(SEND)).toBeEnabled();
});

it.each([
  ["is on its way", { answering: true }, /The answer is on its way to the bank\./],
  ["is too late", { answerBy: PAID_AT }, /The time to answer ended on 20 Nov 2026/],
  ["is not taken", { answerBy: undefined }, /The bank takes no answer\./],
] as const)("there is no button where an answer %s", async (_, dispute, text) => {
  renderOrder(aDisputedOrder(dispute), "admin");
  expect(await findCard()).toHaveTextContent(text);
  expect(screen.queryByRole("button", { name: SEND })).toBeNull();
});

it.each(["buyer", "seller"] as const)("the %s sees nothing of an answer", async (role) => {
  renderOrder(aDisputedOrder(), role);
  await findHeadline(/dispute/);
  expect(screen.queryByText("The answer to the bank")).toBeNull();
});
