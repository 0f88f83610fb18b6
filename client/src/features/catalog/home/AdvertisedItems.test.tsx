import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { anEvent, aProduct, apple } from "@/testing/factories";
import { onList, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import { AdvertisedItems } from "./AdvertisedItems";

startServer();

test("an advertised item has an image, a name, the best price and View; a booked phone is removed", async () => {
  const product = aProduct({ advertise: true });
  onList("/products/advertised", "advertised", [
    product,
    aProduct({ name: "Booked phone", advertise: true, booked: true }),
  ]);
  const { store } = renderScreen(<AdvertisedItems />);
  const card = within(await screen.findByRole("article", { name: "iPhone 6" }));
  expect(card.getByRole("img")).toHaveAttribute("src", product.img);
  expect(card.getByText("$180")).toBeVisible();
  expect(card.getByRole("link", { name: "View" })).toHaveAttribute("href", `/category/${apple._id}`);
  expect(screen.queryByRole("article", { name: "Booked phone" })).toBeNull();
  const booked = { ...product, booked: true, version: 2 };
  receiveEvents(store, anEvent("advertised", "advertised.changed", booked));
  expect(await screen.findByText("Nothing is advertised right now")).toBeVisible();
});

test("advertised items are sorted newest first, with at most two of one seller at the start; a new one is appended", async () => {
  const ad = (name: string, sellerName: string) => aProduct({ name, sellerName, advertise: true });
  const othersPhones = [ad("B1", "Bob"), ad("C1", "Cid")];
  const annsPhones = ["A1", "A2", "A3", "A4"].map((name) => ad(name, "Ann"));
  onList("/products/advertised", "advertised", [...othersPhones, ...annsPhones]);
  const { store, user } = renderScreen(<AdvertisedItems />);
  const names = () =>
    screen.getAllByRole("article").map((card) => within(card).getByRole("heading").textContent);
  await screen.findByRole("article", { name: "A1" });
  expect(names()).toEqual(["A4", "A3", "C1", "B1", "A2", "A1"]);
  receiveEvents(store, anEvent("advertised", "advertised.changed", ad("D1", "Dan")));
  expect(names()).toEqual(["A4", "A3", "C1", "B1", "A2", "A1", "D1"]);
  await user.click(screen.getByRole("button", { name: "Show 1 new" }));
  expect(names()).toEqual(["D1", "A4", "A3", "C1", "B1", "A2", "A1"]);
});
