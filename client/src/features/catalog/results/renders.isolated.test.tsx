import { act, screen, waitFor } from "@testing-library/react";
import { type ComponentType, useState } from "react";
import { Route, Routes } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { bookingDialogOpened } from "@/api/dialogSlice";
import type { Product } from "@/api/types";
import { matches } from "@/lib/productQuery";
import { anEvent, aProduct, apple, karim } from "@/testing/factories";
import { on, onList, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import { dollars } from "@/texts/money";
import { Button, Dialog, useToast } from "@/ui";
import Category from "../Category";
import { AdvertisedItems } from "../home/AdvertisedItems";
import { useLoadMore } from "../useLoadMore";

// Each card formats its prices by dollars(): its calls show which cards were rendered.
vi.mock("@/texts/money", async (original) => {
  const real = await original<typeof import("@/texts/money")>();
  return { ...real, dollars: vi.fn(real.dollars) };
});

// Each grid calls useLoadMore() as it renders.
vi.mock("../useLoadMore", async (original) => {
  const real = await original<typeof import("../useLoadMore")>();
  return { ...real, useLoadMore: vi.fn(real.useLoadMore) };
});

// The refresh button matches all phones of the list.
vi.mock("@/lib/productQuery", async (original) => {
  const real = await original<typeof import("@/lib/productQuery")>();
  return { ...real, matches: vi.fn(real.matches) };
});

startServer();

/** Opens a screen with thirty phones and waits until all are rendered. */
async function renderPhones(Screen: ComponentType, path: string, topic: string, search = "") {
  const phones = Array.from({ length: 24 }, () => aProduct({ advertise: true, resalePrice: 180 }));
  onList(path, topic, phones);
  on("get", "/allCategories", { body: [{ ...apple }] });
  const view = renderScreen(
    <Routes>
      <Route path="/category/:id" element={<Screen />} />
    </Routes>,
    { me: karim, at: `/category/${apple._id}${search}` },
  );
  // The list is rendered in steps. A query by role at each step would take longer than the rest of the test.
  await waitFor(() => expect(document.getElementsByTagName("article").length).toBe(24), { timeout: 10_000 });
  vi.mocked(dollars).mockClear();
  vi.mocked(useLoadMore).mockClear();
  vi.mocked(matches).mockClear();
  return { ...view, phones };
}

async function changeOnePhone(Screen: ComponentType, path: string, topic: string, type: string) {
  const { store, phones } = await renderPhones(Screen, path, topic);
  const changed = { ...phones[7], _id: phones[7]?._id ?? "", version: 2, resalePrice: 170 };
  receiveEvents(store, anEvent(topic, type, changed));
  await screen.findByText("$170");
  expect(useLoadMore).not.toHaveBeenCalled();
  return vi.mocked(dollars).mock.calls.map(([amount]) => amount);
}

test("a change of the store matches the phones of a filtered list again only if the list has changed", async () => {
  const topic = `brand:${apple._id}`;
  const path = `/categories/${apple._id}`;
  const { store, phones } = await renderPhones(Category, path, topic, "?maxPrice=300");
  const [phone] = phones as [Product];
  act(() => void store.dispatch(bookingDialogOpened(phone)));
  expect(matches).not.toHaveBeenCalled();
  const dearer = { ...phone, version: 2, resalePrice: 400 };
  receiveEvents(store, anEvent(topic, "product.changed", dearer));
  expect(matches).toHaveBeenCalled();
  expect(await screen.findByRole("button", { name: "Update the list" })).toBeVisible();
});

test("an event renders one card of a brand's grid, not the grid", async () => {
  const renderedPrices = await changeOnePhone(
    Category,
    `/categories/${apple._id}`,
    `brand:${apple._id}`,
    "product.changed",
  );
  expect(renderedPrices).toEqual([170, 649]);
});

test("an event renders one advertised card, not the grid", async () => {
  const renderedPrices = await changeOnePhone(
    AdvertisedItems,
    "/products/advertised",
    "advertised",
    "advertised.changed",
  );
  expect(renderedPrices).toEqual([170]);
});

test("the countdown of a booked phone renders neither its card nor the grid", async () => {
  const { store, phones } = await renderPhones(Category, `/categories/${apple._id}`, `brand:${apple._id}`);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  const heldUntil = new Date(Date.now() + (23 * 60 + 10) * 60_000 + 500).toISOString();
  const held = { ...phones[7], _id: phones[7]?._id ?? "", version: 2, booked: true, heldUntil };
  receiveEvents(store, anEvent(`brand:${apple._id}`, "product.booked", held));
  // The store notifies its subscribers in the next animation frame.
  await act(() => new Promise((done) => requestAnimationFrame(() => done(null))));
  const countdown = () => document.querySelector(`time[datetime="${heldUntil}"]`);
  expect(countdown()).toHaveTextContent("23 h 10 min left");
  vi.mocked(dollars).mockClear();
  act(() => void vi.advanceTimersByTime(60_000));
  expect(countdown()).toHaveTextContent("23 h 9 min left");
  expect(dollars).not.toHaveBeenCalled();
  expect(useLoadMore).not.toHaveBeenCalled();
});

function DialogAndToast() {
  const [isOpen, setOpen] = useState(false);
  const toast = useToast();
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Dialog">
        <Button onClick={() => toast("Message")}>Show a toast</Button>
      </Dialog>
    </>
  );
}

const WithDialog = () => (
  <>
    <Category />
    <DialogAndToast />
  </>
);

test("a dialog and a toast do not render the grid beside them", async () => {
  const { user } = await renderPhones(WithDialog, `/categories/${apple._id}`, `brand:${apple._id}`);
  await user.click(screen.getByText("Open"));
  await user.click(screen.getByText("Show a toast"));
  expect(screen.getByText("Message")).toBeVisible();
  await user.keyboard("{Escape}");
  expect(screen.queryByText("Show a toast")).toBeNull();
  expect(useLoadMore).not.toHaveBeenCalled();
  expect(dollars).not.toHaveBeenCalled();
});
