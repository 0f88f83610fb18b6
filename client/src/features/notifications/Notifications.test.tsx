import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { eventsReceived } from "@/api/liveActions";
import type { Notification } from "@/api/types";
import { aNotification, anEvent, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import Bell from "./Bell";
import Notifications from "./Notifications";

startServer();

/** Answers with these notifications. */
function serve(...rows: Notification[]): void {
  onList("/notifications", "me", rows);
  on("put", "/notifications/read", { body: { acknowledged: true, modifiedCount: 1 } });
}

/** Up to which notifications were marked as read. */
const marked = () => callsTo("PUT", "/notifications/read").map(({ body }) => (body as { upTo: string }).upTo);

const show = () =>
  renderScreen(
    <>
      <Bell />
      <Notifications />
    </>,
    { me: karim },
  );
const items = () => screen.findAllByRole("listitem");
const event = (data: Notification, type = "notification.added") =>
  eventsReceived([anEvent("me", type, data)]);

it("shows what has happened, newest first, each as a link to its page", async () => {
  const read = aNotification({ readAt: "2026-11-21T05:00:00Z" });
  serve(aNotification({ text: "Your iPhone 6 is sold" }), read);
  show();
  const [first, second] = (await items()) as [HTMLElement, HTMLElement];
  expect(within(first).getByRole("link", { name: /Your iPhone 6 is sold/ })).toHaveAttribute(
    "href",
    "/dashboard/myProducts",
  );
  expect(within(first).getByText("New")).toBeVisible();
  expect(within(first).getByText("21 Nov")).toBeVisible();
  expect(within(second).queryByText("New")).toBeNull();
});

it("marks all as read up to the newest, and still shows what was new", async () => {
  const older = aNotification();
  const newest = aNotification({ text: "Your iPhone 6 is sold" });
  serve(newest, older);
  const { store } = show();
  await waitFor(() => expect(marked()).toEqual([newest._id]));
  expect(screen.getByRole("link", { name: "Notifications, 2 unread" })).toBeVisible();
  act(
    () =>
      void store.dispatch(
        event({ ...newest, version: 2, readAt: "2026-11-21T05:00:00Z" }, "notification.changed"),
      ),
  );
  expect(screen.getByRole("link", { name: "Notifications, 1 unread" })).toBeVisible();
  expect(screen.getAllByText("New")).toHaveLength(2);
  expect(marked()).toEqual([newest._id]);
});

it("marks nothing as read while the page is hidden", async () => {
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  const row = aNotification();
  serve(row);
  show();
  await items();
  expect(marked()).toEqual([]);
  visibility.mockReturnValue("visible");
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  await waitFor(() => expect(marked()).toEqual([row._id]));
});

it("adds one that arrives to the list and to the bell, and announces it", async () => {
  serve(aNotification({ readAt: "2026-11-21T05:00:00Z" }));
  const { store } = show();
  await items();
  expect(screen.getByRole("link", { name: "Notifications" })).toBeVisible();
  act(() => void store.dispatch(event(aNotification({ text: "Your iPhone 6 is sold" }))));
  expect(screen.getByRole("link", { name: "Notifications, 1 unread" })).toBeVisible();
  expect(screen.getByText("Your iPhone 6 is sold")).toBeVisible();
  expect(await screen.findByText("Notification: Your iPhone 6 is sold")).toBeInTheDocument();
});

it("shows many matches of a saved search as one line with its name, which opens", async () => {
  const rows = Array.from({ length: 20 }, (_, n) =>
    aNotification({ kind: "match", subject: "pixel under 200", text: `Pixel ${20 - n} matches` }),
  );
  serve(...rows);
  const { user } = show();
  const line = await screen.findByRole("button", { name: /20 phones match “pixel under 200”/ });
  expect(screen.queryByText("Pixel 7 matches")).toBeNull();
  await user.click(line);
  expect(line).toHaveAttribute("aria-expanded", "true");
  expect(screen.getByText("Pixel 7 matches")).toBeVisible();
});

it("leaves out what the server no longer keeps: all but the newest 200", async () => {
  serve(aNotification({ kind: "match" }));
  const { store } = show();
  expect(await screen.findByRole("link", { name: "Notifications, 1 unread" })).toBeVisible();
  const burst = Array.from({ length: 200 }, () =>
    anEvent("me", "notification.added", aNotification({ kind: "match" })),
  );
  receiveEvents(store, ...burst);
  expect(screen.getByRole("link", { name: "Notifications, 200 unread" })).toBeVisible();
  expect(screen.getByRole("button", { name: /^200 phones match/ })).toBeVisible();
});

it("says that there is nothing yet", async () => {
  serve();
  show();
  expect(await screen.findByText("No notifications yet")).toBeVisible();
});

it("shows an error with a retry button", async () => {
  on("get", "/notifications", errorResponse(503, "Please try again in a moment"));
  const { user } = show();
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  serve(aNotification());
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await items()).toHaveLength(1);
});
