import { screen, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, it } from "vitest";
import type { Role } from "@/api/types";
import { karim } from "@/testing/factories";
import { errorResponse, on, onRole, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import Dashboard from "./Dashboard";

startServer();

const renderDashboard = (at = "/dashboard") =>
  renderScreen(
    <Routes>
      <Route path="dashboard" element={<Dashboard counts={{ "/dashboard/orders": 3 }} />}>
        <Route index element={null} />
        <Route path="myOrders" element={<p>the orders</p>} />
        <Route path="payment/:id" element={<p>the payment</p>} />
      </Route>
    </Routes>,
    { me: karim, at },
  );

it.each<[Role | "moderator", string[]]>([
  ["buyer", ["My Orders", "Messages", "Start selling"]],
  ["seller", ["Add A Product", "My Products", "Earnings", "Messages", "My Orders"]],
  ["admin", ["Orders", "Cases", "Reported Items", "All Sellers", "All Buyers", "Audit Trail"]],
  ["moderator", ["Cases", "Reported Items", "All Sellers", "All Buyers", "Audit Trail"]],
])("the dashboard shows the %s's menu", async (role, labels) => {
  onRole(karim.email, role);
  renderDashboard();
  expect(screen.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  const menu = await screen.findByRole("navigation", { name: "Dashboard" });
  expect(
    within(menu)
      .getAllByRole("link")
      .map(({ textContent }) => textContent),
  ).toEqual(labels);
});

it("the dashboard shows the screen of the path and marks it in the menu", async () => {
  onRole(karim.email, "buyer");
  renderDashboard("/dashboard/myOrders");
  expect(await screen.findByText("the orders")).toBeVisible();
  expect(screen.getByRole("link", { name: "My Orders" })).toHaveAttribute("aria-current", "page");
});

it("the dashboard marks My Orders on the payment screen", async () => {
  onRole(karim.email, "buyer");
  renderDashboard("/dashboard/payment/b1");
  expect(await screen.findByText("the payment")).toBeVisible();
  const orders = screen.getByRole("link", { name: "My Orders" });
  expect(orders).toHaveClass("bg-brand-soft");
  // The link leads to another page than the current one.
  expect(orders).not.toHaveAttribute("aria-current");
});

it("the dashboard shows a spinner until the role is loaded", () => {
  onRole(karim.email, "buyer");
  renderDashboard();
  expect(screen.getByText("Loading")).toBeInTheDocument();
});

it("the dashboard shows the error of the role with a retry button", async () => {
  onRole(karim.email, "buyer");
  on("get", "/users/admin/karim%40example.com", errorResponse(503, "Please try again in a moment"));
  const { user } = renderDashboard();
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  onRole(karim.email, "buyer");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "My Orders" })).toBeVisible();
});
