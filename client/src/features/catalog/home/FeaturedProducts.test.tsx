import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Product } from "@/api/types";
import { anEvent, aProduct } from "@/testing/factories";
import { errorResponse, on, onList, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import { FeaturedProducts } from "./FeaturedProducts";

startServer();

const renderFeatured = () => renderScreen(<FeaturedProducts instead={<p>Other content</p>} />);

const ad = (name: string, overrides: Partial<Product> = {}) =>
  aProduct({ name, sellerName: `Seller of ${name}`, advertise: true, ...overrides });

test("the three best advertised phones are shown, and stay while the screen is open", async () => {
  const older = [ad("Third"), ad("Second"), ad("Best", { productCondition: "Excellent" })];
  const newest = ad("Newest");
  onList("/products/advertised", "advertised", [...older, newest]);
  const { store } = renderFeatured();
  await screen.findByText("Best");
  const linkTexts = () => screen.getAllByRole("link").map((link) => link.textContent);
  expect(linkTexts()).toEqual(["Best$180", "Newest$180", "Second$180"]);
  const receive = (phone: Product) =>
    receiveEvents(store, anEvent("advertised", "advertised.changed", phone));
  receive({ ...newest, booked: true, version: 2 });
  expect(linkTexts()).toEqual(["Best$180", "NewestUnavailable", "Second$180"]);
  receive(ad("Newer and better", { productCondition: "Excellent", verified: true, version: 2 }));
  expect(linkTexts()).toEqual(["Best$180", "NewestUnavailable", "Second$180"]);
});

test("one phone of each seller is shown", async () => {
  const othersPhones = [ad("D"), ad("E")];
  const annsPhones = ["A", "B", "C"].map((name) => ad(name, { sellerName: "Ann" }));
  onList("/products/advertised", "advertised", [...othersPhones, ...annsPhones]);
  renderFeatured();
  await screen.findByText("D");
  expect(screen.getAllByRole("link").map((link) => link.textContent)).toEqual(["C$180", "E$180", "D$180"]);
});

test("without phones of three sellers, or without a response, other content is shown", async () => {
  onList("/products/advertised", "advertised", [aProduct({ advertise: true })]);
  const { unmount } = renderFeatured();
  expect(await screen.findByText("Other content")).toBeVisible();
  unmount();
  on("get", "/products/advertised", errorResponse(500, "Internal error"));
  renderFeatured();
  expect(await screen.findByText("Other content")).toBeVisible();
});
