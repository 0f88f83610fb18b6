import { setupListeners } from "@reduxjs/toolkit/query";
import { act, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Brand } from "@/api/types";
import { apple } from "@/testing/factories";
import { callsTo, errorResponse, on, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import Categories from "../Categories";
import { TopBrands } from "./TopBrands";

startServer();

const nokia: Brand = {
  ...apple,
  _id: "019a00000000a00000000002",
  name: "Nokia",
  available: 12,
  fromPrice: 30,
};
const vertu: Brand = { _id: "019a00000000a00000000003", name: "Vertu", img: "", available: 0, version: 1 };

const cards = () =>
  screen
    .getAllByRole("link")
    .map((link) => `${link.textContent?.replace("→", ": ")} at ${link.getAttribute("href")}`);

test("each brand shows the number of available phones and the lowest price, or that there are none", async () => {
  on("get", "/allCategories", { body: [{ ...apple, available: 1250, fromPrice: 1100 }, { ...vertu }] });
  renderScreen(<Categories />);
  expect(screen.getByRole("heading", { name: "All Smartphone Brands" })).toBeVisible();
  const card = await screen.findByRole("link", { name: "Apple" });
  expect(card).toHaveAccessibleDescription("1,250 available from $1,100");
  expect(card).toHaveAttribute("href", `/category/${apple._id}`);
  expect(screen.getByRole("link", { name: "Vertu" })).toHaveAccessibleDescription("None available right now");
});

test("brands that fail to load show an error with a retry button", async () => {
  on("get", "/allCategories", errorResponse(500, "Internal error"));
  const { user } = renderScreen(<Categories />);
  const retry = await screen.findByRole("button", { name: "Try again" });
  on("get", "/allCategories", { body: [{ ...apple }] });
  await user.click(retry);
  expect(await screen.findByRole("link", { name: "Apple" })).toBeVisible();
});

test("the numbers are refetched when the window gets the focus, and no card moves", async () => {
  on("get", "/categories", { body: [{ ...apple }, { ...nokia }] });
  const { store } = renderScreen(<TopBrands />);
  const removeListeners = setupListeners(store.dispatch);
  await screen.findByRole("link", { name: "Apple" });
  on("get", "/categories", { body: [{ ...nokia, available: 44 }, { ...vertu }] });
  act(() => void window.dispatchEvent(new Event("focus")));
  await screen.findByText("44 available");
  // Apple is not in the new response: its card keeps its position and the known numbers.
  expect(cards()).toEqual([
    `Apple: 43 available from $120 at /category/${apple._id}`,
    `Nokia: 44 available from $30 at /category/${nokia._id}`,
  ]);
  removeListeners();
});

test("the numbers are refetched when the screen is opened again", async () => {
  on("get", "/categories", { body: [{ ...apple }] });
  const { store, unmount } = renderScreen(<TopBrands />);
  await screen.findByText("43 available");
  unmount();
  on("get", "/categories", { body: [{ ...apple, available: 42 }] });
  renderScreen(<TopBrands />, { store });
  expect(screen.getByText("43 available")).toBeVisible();
  expect(await screen.findByText("42 available")).toBeVisible();
  await waitFor(() => expect(callsTo("GET", "/categories")).toHaveLength(2));
});
