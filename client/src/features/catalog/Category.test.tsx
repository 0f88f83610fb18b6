import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, test } from "vitest";
import { anEvent, aProduct, apple, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import Category from "./Category";

startServer();

const brandPath = `/categories/${apple._id}`;

function renderCategory() {
  on("get", "/allCategories", { body: [{ ...apple }] });
  const screens = (
    <Routes>
      <Route path="/category/:id" element={<Category />} />
    </Routes>
  );
  return renderScreen(screens, { me: karim, at: `/category/${apple._id}` });
}

test("a brand's phones are shown after a loading indicator", async () => {
  onList(brandPath, `brand:${apple._id}`, [aProduct({ name: "iPhone 5" }), aProduct({ name: "iPhone 6" })]);
  renderCategory();
  expect(screen.getByText("Loading phones")).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "All Products" })).toBeVisible();
  await screen.findByRole("article", { name: "iPhone 5" });
  expect(screen.getAllByRole("article")).toHaveLength(2);
  expect(screen.getByText("Showing 2 of 2")).toBeVisible();
});

test("an unknown brand shows a message", async () => {
  on("get", brandPath, errorResponse(404, "No such brand"));
  renderCategory();
  expect(await screen.findByText("There is no such brand.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Browse all brands" })).toHaveAttribute("href", "/categories");
  expect(screen.getByRole("link", { name: "Search all phones" })).toHaveAttribute("href", "/search");
});

test("a brand without phones shows a message", async () => {
  onList(brandPath, `brand:${apple._id}`, []);
  renderCategory();
  expect(await screen.findByText("No phones of this brand yet")).toBeVisible();
});

test("further pages are loaded with the server's cursor", async () => {
  onList(
    brandPath,
    `brand:${apple._id}`,
    Array.from({ length: 30 }, () => aProduct()),
  );
  const { user } = renderCategory();
  await waitFor(() => expect(document.getElementsByTagName("article").length).toBe(24));
  expect(screen.getByText("Showing 24 of 30")).toBeVisible();
  await user.click(screen.getByText("Load more"));
  expect(await screen.findByText("Showing 30 of 30")).toBeVisible();
  expect(screen.queryByText("Load more")).toBeNull();
  expect(callsTo("GET", brandPath)[1]?.url).toMatch(/cursor=/);
});

test("the event of a booking changes the card of its phone only, and keeps the focus", async () => {
  const first = aProduct({ name: "First" });
  onList(brandPath, `brand:${apple._id}`, [first, aProduct({ name: "Second" })]);
  const { store, user } = renderCategory();
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

test("the number of available phones is updated by events", async () => {
  const product = aProduct();
  onList(brandPath, `brand:${apple._id}`, [product, aProduct(), aProduct({ booked: true })]);
  const { store } = renderCategory();
  expect((await screen.findByText(/^2 available/)).parentElement).toHaveTextContent(
    "2 available · not updating",
  );
  const booked = { ...product, booked: true, version: 2 };
  receiveEvents(store, anEvent(`brand:${apple._id}`, "product.booked", booked));
  expect(screen.getByText(/^1 available/)).toBeVisible();
});

test("the focus moves from Book Now to the label when the phone is booked", async () => {
  const product = aProduct();
  onList(brandPath, `brand:${apple._id}`, [product]);
  const { store } = renderCategory();
  (await screen.findByRole("button", { name: "Book Now" })).focus();
  const booked = { ...product, booked: true, version: 2 };
  receiveEvents(store, anEvent(`brand:${apple._id}`, "product.booked", booked));
  expect(screen.getByText("Booked").parentElement).toHaveFocus();
});

test("Book Now and Report To Admin remember the phone for their dialogs", async () => {
  const product = aProduct();
  onList(brandPath, `brand:${apple._id}`, [product]);
  const { store, user } = renderCategory();
  await user.click(await screen.findByRole("button", { name: "Book Now" }));
  expect(store.getState().dialog).toEqual({ dialog: "booking", product });
  await user.click(screen.getByRole("button", { name: "Report To Admin" }));
  expect(store.getState().dialog).toEqual({ dialog: "report", product });
});
