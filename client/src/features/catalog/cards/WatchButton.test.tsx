import { act, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventsReceived } from "@/api/liveActions";
import { useWatching } from "@/api/watching";
import { anEvent, aProduct, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import { WatchButton } from "./WatchButton";

startServer();

const phone = aProduct();
const path = `/watches/${phone._id}`;
const watching = (version: number, phones: string[]) => ({ _id: "w", version, phones });
const changed = (version: number, phones: string[]) =>
  eventsReceived([anEvent("me", "watch.changed", watching(version, phones))]);

function Shown() {
  useWatching();
  return <WatchButton product={phone} />;
}

/** Renders the watch button of a phone for a signed-in user. */
async function show(isWatched: boolean) {
  on("get", "/watching", {
    body: { _id: "w", version: 1, phones: isWatched ? ["other", phone._id] : ["other"] },
    headers: { "Live-Position": "me=1" },
  });
  const rendered = renderScreen(<Shown />, { me: karim });
  const heart = screen.getByRole("button", { name: "Watch iPhone 6" });
  await waitFor(() => expect(callsTo("GET", "/watching")).toHaveLength(1));
  await waitFor(() => expect(heart).toHaveAttribute("aria-pressed", String(isWatched)));
  return { ...rendered, heart };
}

test("the button is pressed at once, and follows changes from other windows", async () => {
  on("put", path, { body: { acknowledged: true, insertedId: phone._id } });
  const { user, heart, store } = await show(false);
  await user.click(heart);
  expect(heart).toHaveAttribute("aria-pressed", "true");
  await waitFor(() => expect(callsTo("PUT", path)).toHaveLength(1));
  act(() => void store.dispatch(changed(2, ["other", phone._id])));
  expect(heart).toHaveAttribute("aria-pressed", "true");
  act(() => void store.dispatch(changed(3, ["other"])));
  expect(heart).toHaveAttribute("aria-pressed", "false");
});

test("an event adds the first watched phone", async () => {
  on("get", "/watching", { body: { version: 0, phones: [] }, headers: { "Live-Position": "me=1" } });
  const { store } = renderScreen(<Shown />, { me: karim });
  await waitFor(() => expect(callsTo("GET", "/watching")).toHaveLength(1));
  await waitFor(() => {
    act(() => void store.dispatch(changed(1, [phone._id])));
    expect(screen.getByRole("button")).toHaveAttribute("aria-pressed", "true");
  });
});

test("a second press stops watching", async () => {
  on("delete", path, { body: { acknowledged: true, deletedCount: 1 } });
  const { user, heart } = await show(true);
  await user.click(heart);
  expect(heart).toHaveAttribute("aria-pressed", "false");
  await waitFor(() => expect(callsTo("DELETE", path)).toHaveLength(1));
});

test("a rejected press is undone, with the server's message", async () => {
  on("put", path, errorResponse(409, "You already watch 200 phones."));
  const { user, heart } = await show(false);
  await user.click(heart);
  expect(await screen.findByText("You already watch 200 phones.")).toBeVisible();
  expect(heart).toHaveAttribute("aria-pressed", "false");
});
