import { screen, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, it } from "vitest";
import type { Role } from "@/api/types";
import { karim } from "@/testing/factories";
import { errorResponse, on, onRole, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import Dashboard from "./Dashboard";

startServer();

const show = (at = "/dashboard") =>
  renderScreen(
    <Routes>
      <Route path="dashboard" element={<Dashboard />}>
        <Route index element={null} />
        <Route path="myOrders" element={<p>the orders</p>} />
        <Route path="payment/:id" element={<p>the payment</p>} />
      </Route>
    </Routes>,
    { me: karim, at },
  );

it.each<[Role, string[]]>([
  ["buyer", ["My Orders"]],
  ["seller", ["Add A Product", "My Products"]],
  ["admin", ["All Buyers", "All Sellers", "Reported Items", "Audit Trail"]],
])("shows the %s's menu", async (role, labels) => {
  onRole(karim.email, role);
  show();
  expect(screen.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  const menu = await screen.findByRole("navigation", { name: "Dashboard" });
  expect(
    within(menu)
      .getAllByRole("link")
      .map(({ textContent }) => textContent),
  ).toEqual(labels);
});

it("shows the chosen screen and marks it in the menu", async () => {
  onRole(karim.email, "buyer");
  show("/dashboard/myOrders");
  expect(await screen.findByText("the orders")).toBeVisible();
  expect(screen.getByRole("link", { name: "My Orders" })).toHaveAttribute("aria-current", "page");
});

it("marks the orders while one of them is paid", async () => {
  onRole(karim.email, "buyer");
  show("/dashboard/payment/b1");
  expect(await screen.findByText("the payment")).toBeVisible();
  const orders = screen.getByRole("link", { name: "My Orders" });
  expect(orders).toHaveClass("bg-brand-soft");
  // It is not the page one is on, though.
  expect(orders).not.toHaveAttribute("aria-current");
});

it("waits with a spinner for the role", () => {
  onRole(karim.email, "buyer");
  show();
  expect(screen.getByText("Loading")).toBeInTheDocument();
});

it("shows why the role is not known, and asks again", async () => {
  onRole(karim.email, "buyer");
  on("get", "/users/admin/karim%40example.com", errorResponse(503, "Please try again in a moment"));
  const { user } = show();
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  onRole(karim.email, "buyer");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "My Orders" })).toBeVisible();
});
