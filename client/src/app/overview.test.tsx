import { act, screen, within } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import { liveApplied } from "@/api/liveActions";
import { renderApp, signedIn } from "@/testing/app";
import { aBooking, anEvent, aProduct, aReport, aUser, karim, salma } from "@/testing/factories";
import { callsTo, on, onList, refusal, startServer } from "@/testing/server";

startServer();
// What is fetched when it is first shown is here already: a busy machine takes its time over it.
beforeAll(() =>
  Promise.all([import("./RequireUser"), import("./routes/DashboardRoute"), import("./routes/OverviewRoute")]),
);

/** The value of a figure, by its label. */
const figure = (label: string) =>
  within(screen.getByText(label, { selector: "dt" }).parentElement as HTMLElement)
    .getAllByRole("definition")
    .map((one) => one.textContent);

test("a seller sees an overview of the phones, live", async () => {
  signedIn(salma, "seller");
  const phone = aProduct({ name: "Held one", resalePrice: 90, booked: true });
  const others = [aProduct({ resalePrice: 100 }), aProduct({ resalePrice: 60, booked: true, sold: true })];
  onList("/products", "me", [phone, ...others]);
  const { store } = renderApp("/dashboard");
  const held = within(await screen.findByRole("region", { name: "Held for a buyer" }));
  expect(held.getByText("Held one")).toBeVisible();
  expect(figure("On sale")).toEqual(["1", "asking $100"]);
  expect(figure("Held")[0]).toBe("1");
  expect(figure("Earnings")[0]).toBe("$60");
  act(() => {
    const paid = { ...phone, sold: true, version: 2 };
    store.dispatch(liveApplied([anEvent("me", "product.changed", paid)]));
  });
  expect(figure("Held")[0]).toBe("0");
  expect(figure("Earnings")[0]).toBe("$150");
  // Its row keeps its place and shows the result.
  expect(held.getByText("Held one")).toBeVisible();
  expect(held.getByText("Paid")).toBeVisible();
});

test("figures appear after the last page of a long list", async () => {
  signedIn(salma, "seller");
  onList(
    "/products",
    "me",
    Array.from({ length: 130 }, () => aProduct()),
  );
  renderApp("/dashboard");
  expect(await screen.findByText("130")).toBeVisible();
  expect(callsTo("GET", "/products")).toHaveLength(2);
});

test("a buyer sees what has to be paid, the most urgent first, and can pay from there", async () => {
  signedIn(karim, "buyer");
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
  expect(figure("To pay")[0]).toBe("2");
  expect(figure("Total to pay")[0]).toBe("$50");
  expect(figure("Spent")[0]).toBe("$200");
});

test("an admin sees the users and the open reports; a failure is shown and can be retried", async () => {
  signedIn(karim, "admin");
  onList("/users/buyers", "admin", [aUser()]);
  onList("/users/sellers", "admin", [
    aUser({ name: "New here", email: "new+here@example.com", accountType: "Seller" }),
    aUser({ accountType: "Seller", status: "verified" }),
  ]);
  on("get", "/reportedItems", refusal(503, "Please try again in a moment"));
  const { user } = renderApp("/dashboard");
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  onList("/reportedItems", "admin", [aReport({ productName: "Doubtful" })]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Doubtful")).toBeVisible();
  expect(screen.getByText("New here")).toBeVisible();
  expect(figure("Buyers")[0]).toBe("1");
  expect(figure("Not verified yet")[0]).toBe("1");
  expect(figure("Open reports")[0]).toBe("1");
  for (const [name, to] of [
    ["See the sellers to verify", "/dashboard/allSellers?verified=no"],
    ["New here", "/dashboard/allSellers?q=new%2Bhere%40example.com"],
    ["Doubtful", "/dashboard/reportedItems"],
  ])
    expect(screen.getByRole("link", { name })).toHaveAttribute("href", to);
});
