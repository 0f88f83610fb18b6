import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, test } from "vitest";
import { anEvent, aProduct, apple, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import Categories from "./Categories";
import Category from "./Category";
import { AdvertisedItems } from "./home/AdvertisedItems";

startServer();

const brandPath = `/categories/${apple._id}`;

function showBrand() {
  on("get", "/allCategories", { body: [{ ...apple }] });
  const screens = (
    <Routes>
      <Route path="/category/:id" element={<Category />} />
    </Routes>
  );
  return renderScreen(screens, { me: karim, at: `/category/${apple._id}` });
}

test("shows all brands, each with a link to its phones", async () => {
  on("get", "/allCategories", { body: [{ ...apple }] });
  renderScreen(<Categories />);
  expect(screen.getByRole("heading", { name: "All Smartphone Brands" })).toBeVisible();
  expect(await screen.findByRole("link", { name: "Apple" })).toHaveAttribute(
    "href",
    `/category/${apple._id}`,
  );
});

test("brands that fail to load show an error with a retry button", async () => {
  on("get", "/allCategories", errorResponse(500, "Internal error"));
  const { user } = renderScreen(<Categories />);
  const retry = await screen.findByRole("button", { name: "Try again" });
  on("get", "/allCategories", { body: [{ ...apple }] });
  await user.click(retry);
  expect(await screen.findByRole("link", { name: "Apple" })).toBeVisible();
});

test("shows a brand's phones, and a loading indicator before", async () => {
  onList(brandPath, `brand:${apple._id}`, [aProduct({ name: "iPhone 5" }), aProduct({ name: "iPhone 6" })]);
  showBrand();
  expect(screen.getByText("Loading phones")).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "All Products" })).toBeVisible();
  await screen.findByRole("article", { name: "iPhone 5" });
  expect(screen.getAllByRole("article")).toHaveLength(2);
  expect(screen.getByText("Showing 2 of 2")).toBeVisible();
});

test("an unknown brand shows a message", async () => {
  on("get", brandPath, errorResponse(404, "No such brand"));
  showBrand();
  expect(await screen.findByText("There is no such brand.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Browse all brands" })).toHaveAttribute("href", "/categories");
  expect(screen.getByRole("link", { name: "Search all phones" })).toHaveAttribute("href", "/search");
});

test("a brand without phones shows a message", async () => {
  onList(brandPath, `brand:${apple._id}`, []);
  showBrand();
  expect(await screen.findByText("No phones of this brand yet")).toBeVisible();
});

// A hundred cards, and then thirty more: slow without a browser.
test("further pages are loaded by the server's cursor", { timeout: 90_000 }, async () => {
  onList(
    brandPath,
    `brand:${apple._id}`,
    Array.from({ length: 130 }, () => aProduct()),
  );
  const { user } = showBrand();
  // One query for all rows: a query by text for each row would read a hundred cards a hundred times.
  await waitFor(() => expect(document.getElementsByTagName("article").length).toBe(100), { timeout: 30_000 });
  expect(screen.getByText("Showing 100 of 130")).toBeVisible();
  await user.click(screen.getByText("Load more"));
  expect(await screen.findByText("Showing 130 of 130")).toBeVisible();
  expect(screen.queryByText("Load more")).toBeNull();
  expect(callsTo("GET", brandPath)[1]?.url).toMatch(/cursor=/);
});

test("a pushed booking changes its card, keeps the focus, and does not change the other cards", async () => {
  const first = aProduct({ name: "First" });
  onList(brandPath, `brand:${apple._id}`, [first, aProduct({ name: "Second" })]);
  const { store, user } = showBrand();
  const card = await screen.findByRole("article", { name: "First" });
  const other = screen.getByRole("article", { name: "Second" });
  const button = within(other).getByRole("button", { name: "Book Now" });
  await user.click(button);
  const before = other.innerHTML;
  const booked = { ...first, booked: true, version: 2 };
  receiveEvents(store, anEvent(`brand:${apple._id}`, "product.booked", booked));
  expect(within(card).getByText("Booked")).toBeVisible();
  expect(button).toHaveFocus();
  expect(other.innerHTML).toBe(before);
});

test("a brand says how many of its phones are available, live", async () => {
  const product = aProduct();
  onList(brandPath, `brand:${apple._id}`, [product, aProduct(), aProduct({ booked: true })]);
  const { store } = showBrand();
  expect(await screen.findByText(/^2 available/)).toHaveTextContent("2 available · updating live");
  const booked = { ...product, booked: true, version: 2 };
  receiveEvents(store, anEvent(`brand:${apple._id}`, "product.booked", booked));
  expect(screen.getByText(/^1 available/)).toBeVisible();
});

test("the focus moves from Book Now to the label when the phone is booked", async () => {
  const product = aProduct();
  onList(brandPath, `brand:${apple._id}`, [product]);
  const { store } = showBrand();
  (await screen.findByRole("button", { name: "Book Now" })).focus();
  const booked = { ...product, booked: true, version: 2 };
  receiveEvents(store, anEvent(`brand:${apple._id}`, "product.booked", booked));
  expect(screen.getByText("Booked")).toHaveFocus();
});

test("Book Now and Report To Admin remember the phone for their dialogs", async () => {
  const product = aProduct();
  onList(brandPath, `brand:${apple._id}`, [product]);
  const { store, user } = showBrand();
  await user.click(await screen.findByRole("button", { name: "Book Now" }));
  expect(store.getState().dialog).toEqual({ dialog: "booking", product });
  await user.click(screen.getByRole("button", { name: "Report To Admin" }));
  expect(store.getState().dialog).toEqual({ dialog: "report", product });
});

test("advertised items: image, name, best price and View; a booked phone is removed", async () => {
  const product = aProduct({ advertise: true });
  onList("/products/advertised", "advertised", [
    product,
    aProduct({ name: "Taken", advertise: true, booked: true }),
  ]);
  const { store } = renderScreen(<AdvertisedItems />);
  const card = within(await screen.findByRole("article", { name: "iPhone 6" }));
  expect(card.getByRole("img")).toHaveAttribute("src", product.img);
  expect(card.getByText("$180")).toBeVisible();
  expect(card.getByRole("link", { name: "View" })).toHaveAttribute("href", `/category/${apple._id}`);
  expect(screen.queryByRole("article", { name: "Taken" })).toBeNull();
  const booked = { ...product, booked: true, version: 2 };
  receiveEvents(store, anEvent("advertised", "advertised.changed", booked));
  expect(await screen.findByText("Nothing is advertised right now")).toBeVisible();
});

test("advertised items are newest first, at most two of one seller at the start; a new one is appended", async () => {
  const ad = (name: string, sellerName: string) => aProduct({ name, sellerName, advertise: true });
  const others = [ad("B1", "Bob"), ad("C1", "Cid")];
  const flood = ["A1", "A2", "A3", "A4"].map((name) => ad(name, "Ann"));
  onList("/products/advertised", "advertised", [...others, ...flood]);
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
