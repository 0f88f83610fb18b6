import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { KeptTexts } from "@/api/types";
import { aBooking, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import { findRow } from "@/testing/tables";
import Orders from "./Orders";

startServer();

const BROKEN = "It was broken before";
const NOT_SENT = "It was not sent";

/** The fake server's kept reasons; a PUT of another version than theirs is a conflict. */
function onTexts(...texts: string[]): KeptTexts {
  const kept = { texts, version: 3 };
  on("get", "/texts", () => ({ body: { ...kept } }));
  on("put", "/texts", async (request) => {
    const sent = (await request.json()) as KeptTexts;
    if (sent.version !== kept.version) return errorResponse(409, "Another admin has changed the texts");
    Object.assign(kept, { texts: sent.texts, version: kept.version + 1 });
    return { body: { acknowledged: true, modifiedCount: 1 } };
  });
  return kept;
}

/** Opens the dialog that refunds an order with a problem. */
async function openRefund() {
  const [order] = onList("/orders", "admin", [
    aBooking({
      productName: "Broken",
      status: "paid",
      paid: true,
      tabs: ["problem"],
      fulfilment: { state: "problem", problem: "It is broken" },
    }),
  ]);
  const { user } = renderScreen(<Orders evidence={() => null} />, { me: karim });
  await user.click(within(await findRow("Broken")).getByRole("button", { name: "Refund" }));
  const dialog = within(screen.getByRole("dialog", { name: "Refund the buyer?" }));
  const keep = await dialog.findByRole("button", { name: "Keep this reason" });
  return { order: order!, user, dialog, keep, reason: dialog.getByLabelText("Reason") };
}

const sent = () => callsTo("PUT", "/texts").map(({ body }) => body);

it("fills in the reason that is picked, and sends it with the decision", async () => {
  onTexts(BROKEN, NOT_SENT);
  const { order, user, dialog, reason } = await openRefund();
  on("put", `/bookings/${order._id}/fulfilment`, { body: { acknowledged: true, modifiedCount: 1 } });
  const list = within(dialog.getByRole("list", { name: "Kept reasons" }));
  await user.click(list.getByRole("button", { name: NOT_SENT }));
  expect(reason).toHaveValue(NOT_SENT);
  await user.click(dialog.getByRole("button", { name: /^Refund Karim Uddin/ }));
  await waitFor(() =>
    expect(callsTo("PUT", `/bookings/${order._id}/fulfilment`)[0]?.body).toEqual({
      action: "settle",
      outcome: "refund",
      reason: NOT_SENT,
    }),
  );
  expect(sent()).toEqual([]);
});

it("keeps what is typed, with the version that is shown, once", async () => {
  onTexts(BROKEN);
  const { user, dialog, keep, reason } = await openRefund();
  expect(keep).toBeDisabled();
  await user.type(reason, `  ${NOT_SENT} `);
  await user.click(keep);
  expect(await dialog.findByRole("button", { name: NOT_SENT })).toBeVisible();
  expect(sent()).toEqual([{ texts: [BROKEN, NOT_SENT], version: 3 }]);
  expect(keep).toBeDisabled();
  // The next change has the next version.
  await user.type(reason, "at all");
  await user.click(keep);
  expect(await dialog.findByRole("button", { name: `${NOT_SENT} at all` })).toBeVisible();
  expect(sent()[1]).toEqual({ texts: [BROKEN, NOT_SENT, `${NOT_SENT} at all`], version: 4 });
});

it("removes a kept reason", async () => {
  onTexts(BROKEN, NOT_SENT);
  const { user, dialog, reason } = await openRefund();
  await user.click(dialog.getByTitle(`Remove the kept reason: ${BROKEN}`));
  await waitFor(() => expect(dialog.queryByText(BROKEN)).toBeNull());
  expect(dialog.getByText(NOT_SENT)).toBeVisible();
  expect(sent()).toEqual([{ texts: [NOT_SENT], version: 3 }]);
  expect(reason).toHaveValue("");
});

it("shows the server's message and the latest reasons when another admin has changed them", async () => {
  const kept = onTexts(BROKEN);
  const { user, dialog, keep, reason } = await openRefund();
  await user.type(reason, NOT_SENT);
  Object.assign(kept, { texts: ["Kept meanwhile"], version: 4 });
  await user.click(keep);
  expect(await screen.findByText("Another admin has changed the texts")).toBeVisible();
  expect(await dialog.findByText("Kept meanwhile")).toBeVisible();
  expect(reason).toHaveValue(NOT_SENT);
  expect(kept.texts).toEqual(["Kept meanwhile"]);
});

it("shows no list while nothing is kept", async () => {
  onTexts();
  const { dialog } = await openRefund();
  expect(dialog.queryByRole("list", { name: "Kept reasons" })).toBeNull();
});
