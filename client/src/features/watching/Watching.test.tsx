import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Product, SavedSearch } from "@/api/types";
import { anEvent, aProduct, karim } from "@/testing/factories";
import { callsTo, on, onList, onNetworkError, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import Watching from "./Watching";

startServer();

const card = ({ name, resalePrice }: Product) => (
  <article aria-label={name}>
    {name} ${resalePrice}
  </article>
);

const aSearch = (name: string, query: string): SavedSearch => ({
  _id: name.padEnd(24, "0"),
  version: 1,
  name,
  query,
  createdAt: "2026-11-20T04:00:00Z",
});

/** Renders the screen of a user who watches these phones; the last phone was watched last. */
function renderWatching(phones: Product[], searches: SavedSearch[] = []) {
  onList("/watches", "me", phones);
  onList("/searches", "me", searches);
  on("get", "/watching", {
    body: { _id: "w", version: 1, phones: phones.map(({ _id }) => _id) },
    headers: { "Live-Position": "me=1" },
  });
  return renderScreen(<Watching card={card} />, { me: karim });
}

test("the phones are sorted by the time at which they were watched, not by their age", async () => {
  const older = aProduct({ name: "Older" });
  const newer = aProduct({ name: "Newer" });
  renderWatching([newer, older]);
  expect(await screen.findByRole("article", { name: "Older" })).toBeVisible();
  expect(screen.getAllByRole("article").map((article) => article.getAttribute("aria-label"))).toEqual([
    "Older",
    "Newer",
  ]);
  expect(screen.getByText("2 phones")).toBeVisible();
});

test("the events of a brand change the card of a watched phone, and add no other phone", async () => {
  const phone = aProduct({ name: "Nexus 5", resalePrice: 120 });
  const { store } = renderWatching([phone]);
  await screen.findByText("Nexus 5 $120");
  const cheaper = { ...phone, version: 2, resalePrice: 99 };
  const other = aProduct({ name: "Another" });
  receiveEvents(
    store,
    anEvent(`brand:${phone.id}`, "product.changed", cheaper),
    anEvent(`brand:${phone.id}`, "product.added", other),
  );
  expect(screen.getByText("Nexus 5 $99")).toBeVisible();
  expect(screen.queryByRole("article", { name: "Another" })).toBeNull();
});

test("a phone that is no longer watched is replaced by a message", async () => {
  const { store } = renderWatching([aProduct({ name: "One" }), aProduct({ name: "Two" })]);
  const [, second] = await screen.findAllByRole("article");
  expect(second).toHaveAccessibleName("One");
  const watching = { _id: "w", version: 2, phones: [] };
  receiveEvents(store, anEvent("me", "watch.changed", watching));
  expect(screen.getAllByText(/You no longer watch this phone/)).toHaveLength(2);
});

test("a saved search opens its results, and is deleted", async () => {
  const search = aSearch("Cheap phones", "q=pixel&maxPrice=300");
  const path = `/searches/${encodeURIComponent(search._id)}`;
  on("delete", path, { body: { acknowledged: true, deletedCount: 1 } });
  const { user, store } = renderWatching([], [search]);
  const list = within(await screen.findByRole("region", { name: "Saved searches" }));
  expect(await list.findByRole("link", { name: "Cheap phones" })).toHaveAttribute(
    "href",
    "/search?q=pixel&maxPrice=300",
  );
  await user.click(list.getByRole("button", { name: "Delete the saved search Cheap phones" }));
  expect(await screen.findByText("Saved search deleted")).toBeVisible();
  expect(callsTo("DELETE", path)).toHaveLength(1);
  const deleted = { _id: search._id, version: 2 };
  receiveEvents(store, anEvent("me", "search.changed", deleted));
  expect(list.queryByRole("link", { name: "Cheap phones" })).toBeNull();
});

test("the focus moves to the next saved search when an event removes one, and to the heading after the last one", async () => {
  const saved = [aSearch("Cheap", "maxPrice=300"), aSearch("Pixels", "q=pixel")];
  const { store } = renderWatching([], saved);
  (await screen.findByRole("button", { name: "Delete the saved search Pixels" })).focus();
  const [cheap, pixels] = saved.map(({ _id }) => anEvent("me", "search.changed", { _id, version: 2 }));
  receiveEvents(store, pixels!);
  expect(screen.getByRole("listitem")).toHaveFocus();
  expect(screen.getByRole("listitem")).toHaveTextContent("Cheap");
  receiveEvents(store, cheap!);
  expect(screen.getByRole("heading", { name: "Saved searches" })).toHaveFocus();
});

test("a section without entries is one line if the other section has entries", async () => {
  renderWatching([aProduct({ name: "One" })]);
  await screen.findByRole("article", { name: "One" });
  expect(screen.getByText(/^You have no saved searches\./)).toBeVisible();
  expect(screen.queryByText(/press “Save this search”/)).toBeNull();
});

test("without phones and searches the screen explains both", async () => {
  renderWatching([]);
  expect(await screen.findByText("You are not watching any phones")).toBeVisible();
  expect(await screen.findByText("You have no saved searches")).toBeVisible();
  expect(screen.getByRole("link", { name: "Find a phone" })).toHaveAttribute("href", "/search");
});

test("a failed load has a retry button", async () => {
  renderWatching([]);
  onNetworkError("get", "/watches");
  expect(await screen.findByRole("alert")).toHaveTextContent("The phones could not be loaded.");
  expect(screen.getByRole("button", { name: "Try again" })).toBeEnabled();
});
