import { act, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { eventsReceived } from "@/api/liveActions";
import { useRole } from "@/api/role";
import type { Wait } from "@/api/types";
import { anEvent, aWait, karim } from "@/testing/factories";
import { callsTo, on, onList, onRole, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import { findRow } from "@/testing/tables";
import { WaitingFor } from "./WaitingFor";

startServer();

function Screen() {
  useRole();
  return <WaitingFor />;
}

async function renderWaits(waits: Wait[]) {
  onRole(karim.email, "buyer");
  onList("/waitlist", "me", waits);
  const view = renderScreen(<Screen />, { me: karim });
  await waitFor(() => expect(callsTo("GET", "/waitlist")).toHaveLength(1));
  return view;
}

it("lists the buyer's places on waitlists, is updated by events, and disappears with the last place", async () => {
  const wait = aWait({ position: 2 });
  const { store } = await renderWaits([wait]);
  expect(await screen.findByRole("heading", { name: "Waiting for" })).toBeVisible();
  expect(screen.getByText("2nd in line")).toBeVisible();
  const receive = (data: { _id: string; version: number }) =>
    act(async () => void store.dispatch(eventsReceived([anEvent("me", "waitlist.changed", data)])));
  await receive({ ...wait, version: 2, position: 1 } as Wait);
  expect(await screen.findByText("You are next")).toBeVisible();
  await receive({ _id: wait._id, version: 3 });
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Waiting for" })).toBeNull());
});

it("gives the focus to the next row when an event removes a place, and to the main element after the last one", async () => {
  const waits = [aWait({ productName: "Nexus 5" }), aWait({ productName: "Pixel 7" })];
  onRole(karim.email, "buyer");
  onList("/waitlist", "me", waits);
  const { store } = renderScreen(
    <main id="main" tabIndex={-1}>
      <Screen />
    </main>,
    { me: karim },
  );
  (await screen.findByRole("button", { name: "Leave the waitlist for Nexus 5" })).focus();
  const [first, last] = waits.map(({ _id }) => anEvent("me", "waitlist.changed", { _id, version: 2 }));
  receiveEvents(store, first!);
  expect(await findRow("Pixel 7")).toHaveFocus();
  receiveEvents(store, last!);
  expect(screen.getByRole("main")).toHaveFocus();
});

it("asks for a confirmation before the buyer leaves a waitlist", async () => {
  const wait = aWait();
  const { user } = await renderWaits([wait]);
  on("delete", `/products/${wait.productID}/waitlist`, { body: { acknowledged: true, deletedCount: 1 } });
  await user.click(await screen.findByRole("button", { name: "Leave the waitlist for iPhone 6" }));
  expect(await screen.findByText("You lose your place in line for iPhone 6.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Leave waitlist" }));
  await waitFor(() => expect(callsTo("DELETE", `/products/${wait.productID}/waitlist`)).toHaveLength(1));
});
