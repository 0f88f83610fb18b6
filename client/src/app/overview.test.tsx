import { screen, within } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import { onSignedInUser, renderApp } from "@/testing/app";
import { aBooking, anEvent, aProduct, aReport, aUser, karim, salma } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, startServer } from "@/testing/server";
import { receiveEvents } from "@/testing/serverScreen";

startServer();
// Loads the code of the screens in advance: on a busy machine this takes long.
beforeAll(() =>
  Promise.all([import("./RequireUser"), import("./routes/DashboardRoute"), import("./routes/OverviewRoute")]),
);

/** The values of a statistic, by its label. */
const statValues = (label: string) =>
  within(screen.getByText(label, { selector: "dt" }).parentElement as HTMLElement)
    .getAllByRole("definition")
    .map(({ textContent }) => textContent);

test("the seller's overview shows the phones and their numbers, and is updated by events", async () => {
  onSignedInUser(salma, "seller");
  const phone = aProduct({ name: "Held phone", resalePrice: 90, booked: true });
  const otherPhones = [
    aProduct({ resalePrice: 100 }),
    aProduct({ resalePrice: 60, booked: true, sold: true }),
  ];
  onList("/products", "me", [phone, ...otherPhones]);
  const { store } = renderApp("/dashboard");
  const held = within(await screen.findByRole("region", { name: "Held for a buyer" }));
  expect(held.getByText("Held phone")).toBeVisible();
  expect(statValues("Available")).toEqual(["1", "asking $100"]);
  expect(statValues("Held")[0]).toBe("1");
  expect(statValues("Sales")[0]).toBe("$60");
  const paid = { ...phone, sold: true, version: 2 };
  receiveEvents(store, anEvent("me", "product.changed", paid));
  expect(statValues("Held")[0]).toBe("0");
  expect(statValues("Sales")[0]).toBe("$150");
  // The row is not moved, and shows the new status.
  expect(held.getByText("Held phone")).toBeVisible();
  expect(held.getByText("Paid")).toBeVisible();
});

test("the statistics appear after the last page of a long list is loaded", async () => {
  onSignedInUser(salma, "seller");
  onList(
    "/products",
    "me",
    Array.from({ length: 130 }, () => aProduct()),
  );
  renderApp("/dashboard");
  expect(await screen.findByText("130")).toBeVisible();
  expect(callsTo("GET", "/products")).toHaveLength(2);
});

test("the buyer's overview shows the orders to pay, the most urgent first, with a link to pay", async () => {
  onSignedInUser(karim, "buyer");
  const late = aBooking({ productName: "Later", price: 30 });
  const soon = aBooking({
    productName: "Sooner",
    price: 20,
    holdUntil: new Date(Date.now() + 60_000).toISOString(),
  });
  onList("/bookings", "me", [soon, late, aBooking({ status: "paid", paid: true, price: 200 })]);
  renderApp("/dashboard");
  const held = within(await screen.findByRole("region", { name: "Held for you" }));
  const [first] = held.getAllByRole("listitem");
  expect(first).toHaveTextContent("Sooner");
  expect(within(first as HTMLElement).getByRole("link", { name: "Pay" })).toHaveAttribute(
    "href",
    `/dashboard/payment/${soon._id}`,
  );
  expect(statValues("To pay")[0]).toBe("2");
  expect(statValues("Total to pay")[0]).toBe("$50");
  expect(statValues("Spent")[0]).toBe("$200");
});

test("the admin's overview shows the users and the open reports, and an error with a retry button", async () => {
  onSignedInUser(karim, "admin");
  onList("/users/buyers", "admin", [aUser()]);
  onList("/users/sellers", "admin", [
    aUser({ name: "New seller", email: "new+here@example.com", accountType: "Seller" }),
    aUser({ accountType: "Seller", status: "verified" }),
  ]);
  on("get", "/reportedItems", errorResponse(503, "Please try again in a moment"));
  const { user } = renderApp("/dashboard");
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  onList("/reportedItems", "admin", [aReport({ productName: "Reported phone" })]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Reported phone")).toBeVisible();
  expect(screen.getByText("New seller")).toBeVisible();
  expect(statValues("Buyers")[0]).toBe("1");
  expect(statValues("Not verified yet")[0]).toBe("1");
  expect(statValues("Open reports")[0]).toBe("1");
  for (const [name, to] of [
    ["See the sellers to verify", "/dashboard/allSellers?verified=no"],
    ["New seller", "/dashboard/allSellers?q=new%2Bhere%40example.com"],
    ["Reported phone", "/dashboard/reportedItems"],
  ])
    expect(screen.getByRole("link", { name })).toHaveAttribute("href", to);
});
