import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { useWatching } from "@/api/watching";
import { anEvent, aProduct, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import { WatchButton } from "./WatchButton";

startServer();

const phone = aProduct();
const path = `/watches/${phone._id}`;
const watching = (version: number, phones: string[]) => ({ _id: "w", version, phones });
const watchEvent = (version: number, phones: string[]) =>
  anEvent("me", "watch.changed", watching(version, phones));

function Screen() {
  useWatching();
  return <WatchButton product={phone} />;
}

/** Renders the watch button of a phone for a signed-in user. */
async function renderButton(isWatched: boolean) {
  on("get", "/watching", {
    body: { _id: "w", version: 1, phones: isWatched ? ["other", phone._id] : ["other"] },
    headers: { "Live-Position": "me=1" },
  });
  const view = renderScreen(<Screen />, { me: karim });
  const button = screen.getByRole("button", { name: "Watch iPhone 6" });
  await waitFor(() => expect(callsTo("GET", "/watching")).toHaveLength(1));
  await waitFor(() => expect(button).toHaveAttribute("aria-pressed", String(isWatched)));
  return { ...view, button };
}

test("the button is pressed at once, and is updated by changes in other windows", async () => {
  on("put", path, { body: { acknowledged: true, insertedId: phone._id } });
  const { user, button, store } = await renderButton(false);
  await user.click(button);
  expect(button).toHaveAttribute("aria-pressed", "true");
  await waitFor(() => expect(callsTo("PUT", path)).toHaveLength(1));
  receiveEvents(store, watchEvent(2, ["other", phone._id]));
  expect(button).toHaveAttribute("aria-pressed", "true");
  receiveEvents(store, watchEvent(3, ["other"]));
  expect(button).toHaveAttribute("aria-pressed", "false");
});

test("the event of the first watched phone presses its button", async () => {
  on("get", "/watching", { body: { version: 0, phones: [] }, headers: { "Live-Position": "me=1" } });
  const { store } = renderScreen(<Screen />, { me: karim });
  await waitFor(() => expect(callsTo("GET", "/watching")).toHaveLength(1));
  await waitFor(() => {
    receiveEvents(store, watchEvent(1, [phone._id]));
    expect(screen.getByRole("button")).toHaveAttribute("aria-pressed", "true");
  });
});

test("a second press stops watching", async () => {
  on("delete", path, { body: { acknowledged: true, deletedCount: 1 } });
  const { user, button } = await renderButton(true);
  await user.click(button);
  expect(button).toHaveAttribute("aria-pressed", "false");
  await waitFor(() => expect(callsTo("DELETE", path)).toHaveLength(1));
});

test("a press that the server rejects is undone, and the server's message is shown", async () => {
  on("put", path, errorResponse(409, "You already watch 200 phones."));
  const { user, button } = await renderButton(false);
  await user.click(button);
  expect(await screen.findByText("You already watch 200 phones.")).toBeVisible();
  expect(button).toHaveAttribute("aria-pressed", "false");
});
