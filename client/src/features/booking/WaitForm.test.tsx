import { act, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { leaveDialogOpened, waitDialogOpened } from "@/api/dialogSlice";
import { eventsReceived } from "@/api/liveActions";
import { useRole } from "@/api/role";
import type { Product } from "@/api/types";
import { useOwnWaits } from "@/api/waitlist";
import { anEvent, aProduct, aWait, karim } from "@/testing/factories";
import { callsTo, on, onList, onRole, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import BookingDialog from "./BookingDialog";

startServer();

const phone = aProduct({ booked: true, waiting: 1, heldUntil: new Date(Date.now() + 60_000).toISOString() });
const path = `/products/${phone._id}/waitlist`;

/** Opens the dialog of the waitlist, and waits until the phone is loaded. */
async function openDialog() {
  const headers = { "Live-Position": `brand:${phone.id}=e1-1` };
  on("get", `/products/${phone._id}`, { body: { ...phone }, headers });
  const view = renderScreen(<BookingDialog />, { me: karim });
  act(() => void view.store.dispatch(waitDialogOpened(phone)));
  await waitFor(() => expect(callsTo("GET", `/products/${phone._id}`)).toHaveLength(1));
  await act(async () => undefined);
  return view;
}

const joinButton = () => screen.getByRole("button", { name: "Join waitlist" });
const receive = ({ store }: Awaited<ReturnType<typeof openDialog>>, type: string, product: Product) =>
  act(async () => void store.dispatch(eventsReceived([anEvent(`brand:${phone.id}`, type, product)])));

it("shows the place and the time to pay, joins with the typed values and closes", async () => {
  on("put", path, { body: { acknowledged: true, insertedId: "w1", position: 2 } });
  const view = await openDialog();
  expect(screen.getByText("You will be 2nd in line.")).toBeVisible();
  expect(await screen.findByText(/booked for you, and you have 15 minutes to pay\.$/)).toBeVisible();
  await view.user.click(joinButton());
  expect(await screen.findByText("Phone is required")).toBeVisible();
  await view.user.type(screen.getByLabelText("Phone"), " 01711 000000 ");
  await view.user.type(screen.getByLabelText("Location"), "Gulshan");
  await view.user.click(joinButton());
  expect(await screen.findByText("You are 2nd in line for iPhone 6")).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(callsTo("PUT", path).map(({ body }) => body)).toEqual([
    { phone: "01711 000000", location: "Gulshan" },
  ]);
});

it("offers Book Now once the phone is available, and keeps the typed values", async () => {
  const view = await openDialog();
  await view.user.type(screen.getByLabelText("Phone"), "01711 000000");
  await receive(view, "product.released", { ...phone, version: 2, booked: false });
  expect(screen.getByText(/^This phone is available now\./)).toBeVisible();
  await view.user.click(screen.getByRole("button", { name: "Book Now" }));
  expect(screen.getByRole("dialog", { name: "Book iPhone 6" })).toBeVisible();
  expect(screen.getByLabelText("Phone")).toHaveValue("01711 000000");
  expect(screen.getByRole("button", { name: "Confirm booking" })).toHaveFocus();
});

it.each([
  ["free", "This phone is available now."],
  ["sold", "This phone has been sold."],
  ["full", "The waitlist of this phone is full"],
  ["too_many", "Leave one first"],
  ["held", "You have booked it."],
])("shows the server's error %s", async (code, message) => {
  on("put", path, { status: 409, body: { acknowledged: false, code, message } });
  on("get", "/products/search", { body: [] });
  const { user } = await openDialog();
  await user.type(screen.getByLabelText("Phone"), "01711 000000");
  await user.click(joinButton());
  expect(await screen.findByText(message, { exact: false })).toBeVisible();
  expect(screen.queryAllByRole("button", { name: "Watch this model" })).toHaveLength(
    code === "sold" || code === "full" ? 1 : 0,
  );
  expect(screen.getByLabelText("Phone")).toHaveValue("01711 000000");
});

it("shows similar phones after the phone was sold, and can't be submitted", async () => {
  on("get", "/products/search", { body: [{ ...aProduct({ name: "iPhone 6s" }) }] });
  const view = await openDialog();
  await receive(view, "product.changed", { ...phone, version: 2, sold: true });
  expect(await screen.findByRole("button", { name: /^Book iPhone 6s instead/ })).toBeVisible();
  expect(joinButton()).toBeDisabled();
});

/** The dialog on a screen that loads the buyer's own waitlists. */
function Screen() {
  useRole();
  useOwnWaits();
  return <BookingDialog />;
}

it("asks for a confirmation before the buyer leaves the waitlist", async () => {
  onRole(karim.email, "buyer");
  onList("/waitlist", "me", [aWait({ productID: phone._id })]);
  on("delete", path, { body: { acknowledged: true, deletedCount: 1 } });
  const { store, user } = renderScreen(<Screen />, { me: karim });
  await waitFor(() => expect(callsTo("GET", "/waitlist")).toHaveLength(1));
  act(() => void store.dispatch(leaveDialogOpened(phone)));
  expect(await screen.findByRole("alertdialog", { name: "Leave the waitlist?" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Leave waitlist" }));
  expect(await screen.findByText("You are no longer waiting for iPhone 6")).toBeVisible();
  expect(callsTo("DELETE", path)).toHaveLength(1);
});
