import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Notification } from "@/api/types";
import { aNotification, anEvent, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import Bell from "./Bell";
import Notifications from "./Notifications";

startServer();

/** Sets the responses with these notifications. */
function onNotifications(...rows: Notification[]): void {
  onList("/notifications", "me", rows);
  on("put", "/notifications/read", { body: { acknowledged: true, modifiedCount: 1 } });
}

/** The ids up to which the notifications were marked as read. */
const markedIds = () =>
  callsTo("PUT", "/notifications/read").map(({ body }) => (body as { upTo: string }).upTo);

const renderNotifications = () =>
  renderScreen(
    <>
      <Bell />
      <Notifications />
    </>,
    { me: karim },
  );
const findItems = () => screen.findAllByRole("listitem");

it("shows the notifications, newest first, each with a link to its page", async () => {
  const read = aNotification({ readAt: "2026-11-21T05:00:00Z" });
  onNotifications(aNotification({ text: "Your iPhone 6 is sold" }), read);
  renderNotifications();
  const [first, second] = (await findItems()) as [HTMLElement, HTMLElement];
  expect(within(first).getByRole("link", { name: /Your iPhone 6 is sold/ })).toHaveAttribute(
    "href",
    "/dashboard/myProducts",
  );
  expect(within(first).getByText("New")).toBeVisible();
  expect(within(first).getByText("21 Nov")).toBeVisible();
  expect(within(second).queryByText("New")).toBeNull();
});

it("marks all notifications up to the newest as read, and keeps showing which were new", async () => {
  const older = aNotification();
  const newest = aNotification({ text: "Your iPhone 6 is sold" });
  onNotifications(newest, older);
  const { store } = renderNotifications();
  await waitFor(() => expect(markedIds()).toEqual([newest._id]));
  expect(screen.getByRole("link", { name: "Notifications, 2 unread" })).toBeVisible();
  const read = { ...newest, version: 2, readAt: "2026-11-21T05:00:00Z" };
  receiveEvents(store, anEvent("me", "notification.changed", read));
  expect(screen.getByRole("link", { name: "Notifications, 1 unread" })).toBeVisible();
  expect(screen.getAllByText("New")).toHaveLength(2);
  expect(markedIds()).toEqual([newest._id]);
});

it("marks nothing as read while the page is hidden", async () => {
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  const row = aNotification();
  onNotifications(row);
  renderNotifications();
  await findItems();
  expect(markedIds()).toEqual([]);
  visibility.mockReturnValue("visible");
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  await waitFor(() => expect(markedIds()).toEqual([row._id]));
});

it("adds a notification that arrives to the list and the bell, and announces it", async () => {
  onNotifications(aNotification({ readAt: "2026-11-21T05:00:00Z" }));
  const { store } = renderNotifications();
  await findItems();
  expect(screen.getByRole("link", { name: "Notifications" })).toBeVisible();
  receiveEvents(store, anEvent("me", "notification.added", aNotification({ text: "Your iPhone 6 is sold" })));
  expect(screen.getByRole("link", { name: "Notifications, 1 unread" })).toBeVisible();
  expect(screen.getByText("Your iPhone 6 is sold")).toBeVisible();
  expect(await screen.findByText("Notification: Your iPhone 6 is sold")).toBeInTheDocument();
});

it("appends notifications that arrive without changing the rows before, and sorts and groups them on request", async () => {
  const rows = [3, 2, 1].map((n) => aNotification({ kind: "paid", text: `Phone ${n} is sold` })).toReversed();
  onNotifications(...rows);
  const { store, user } = renderNotifications();
  await findItems();
  const texts = () => screen.getAllByRole("listitem").map((item) => item.querySelector("a")?.textContent);
  const before = texts();
  const focused = screen.getAllByRole("link", { name: /is sold/ })[0] as HTMLElement;
  focused.focus();
  const arrived = ["a", "b"].map((name) => aNotification({ kind: "paid", text: `Phone ${name} is sold` }));
  for (const row of arrived) receiveEvents(store, anEvent("me", "notification.added", row));
  expect(texts().slice(0, 3)).toEqual(before);
  expect(texts()).toHaveLength(5);
  expect(focused).toHaveFocus();
  expect(screen.getByRole("link", { name: /^Notifications, 5 unread/ })).toBeVisible();
  await waitFor(() => expect(markedIds().at(-1)).toBe(arrived[1]?._id));
  await user.click(screen.getByRole("button", { name: "Show 2 new" }));
  expect(screen.getByRole("button", { name: /^5 messages about your sales/ })).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Show/ })).toBeNull();
  expect(document.body).not.toHaveFocus();
});

it("shows many matches of a saved search as one expandable row with its name", async () => {
  const rows = Array.from({ length: 20 }, (_, n) =>
    aNotification({ kind: "match", subject: "pixel under 200", text: `Pixel ${20 - n} matches` }),
  );
  onNotifications(...rows);
  const { user } = renderNotifications();
  const group = await screen.findByRole("button", { name: /20 messages about “pixel under 200”/ });
  expect(screen.queryByText("Pixel 7 matches")).toBeNull();
  await user.click(group);
  expect(group).toHaveAttribute("aria-expanded", "true");
  expect(screen.getByText("Pixel 7 matches")).toBeVisible();
});

it("takes out a notification that the server has deleted because there are too many", async () => {
  const oldest = aNotification({ kind: "match" });
  onNotifications(oldest);
  const { store } = renderNotifications();
  expect(await screen.findByRole("link", { name: "Notifications, 1 unread" })).toBeVisible();
  const burst = Array.from({ length: 200 }, () =>
    anEvent("me", "notification.added", aNotification({ kind: "match" })),
  );
  const { _id } = oldest;
  receiveEvents(store, ...burst, anEvent("me", "notification.removed", { _id, version: 40 } as never));
  expect(screen.getByRole("link", { name: "Notifications, 200 unread" })).toBeVisible();
  expect(screen.getByRole("button", { name: /^200 messages about/ })).toBeVisible();
});

it("a notification without a page is no link", async () => {
  onNotifications(aNotification({ kind: "decision", text: "We have looked at your report", link: "" }));
  renderNotifications();
  expect((await screen.findByText("We have looked at your report")).closest("a")).toBeNull();
});

it("names a group of messages about decisions", async () => {
  onNotifications(...Array.from({ length: 4 }, () => aNotification({ kind: "decision" })));
  renderNotifications();
  expect(await screen.findByRole("button", { name: /^4 messages about decisions/ })).toBeVisible();
});

it("shows a message if there are no notifications", async () => {
  onNotifications();
  renderNotifications();
  expect(await screen.findByText("No notifications yet")).toBeVisible();
});

it("shows an error with a retry button", async () => {
  on("get", "/notifications", errorResponse(503, "Please try again in a moment"));
  const { user } = renderNotifications();
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  onNotifications(aNotification());
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await findItems()).toHaveLength(1);
});
