import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, it } from "vitest";
import { useRole } from "@/api/role";
import type { PersonSummary } from "@/api/types";
import { anAuditEntry, karim, newId } from "@/testing/factories";
import { errorResponse, on, onRole, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import Person from "./Person";

startServer();

/** A verified seller. */
const aPerson = (overrides: Partial<PersonSummary> = {}): PersonSummary => ({
  _id: newId(),
  version: 1,
  accountType: "Seller",
  admin: false,
  confirmed: true,
  verified: true,
  removed: false,
  since: "2026-03-14T10:00:00Z",
  contact: { name: "Salma", email: "salma+1@example.com", phone: "+880 1711 222333", location: "Dhaka" },
  phones: 7,
  orders: { bought: 2, sold: 1234, cancelled: 3 },
  reports: { about: 4, by: 1 },
  decisions: [],
  ...overrides,
});

const renderPage = (id: string) =>
  renderScreen(
    <Routes>
      <Route path="dashboard/person/:id" element={<Person />} />
    </Routes>,
    { me: karim, at: `/dashboard/person/${id}` },
  );

function renderPerson(overrides: Partial<PersonSummary> = {}) {
  const person = aPerson(overrides);
  on("get", `/people/${person._id}`, { body: { ...person } });
  return renderPage(person._id);
}

/** The texts of a statistic, by its label. */
const statTexts = (label: string) =>
  within(screen.getByText(label, { selector: "dt" }).parentElement as HTMLElement)
    .getAllByRole("definition")
    .map(({ textContent }) => textContent);

it("shows who a seller is, how to reach them, and the way to the list in which one decides", async () => {
  renderPerson();
  expect(await screen.findByRole("heading", { level: 2, name: "Salma" })).toBeVisible();
  for (const text of ["Seller", "Verified", "Email confirmed", "Here since 14 March 2026", "Dhaka"])
    expect(screen.getByText(text)).toBeVisible();
  expect(screen.queryByText("Deleted")).toBeNull();
  expect(document.title).toContain("Person: Salma");
  for (const [name, to] of [
    ["salma+1@example.com", "mailto:salma+1@example.com"],
    ["+880 1711 222333", "tel:+8801711222333"],
    ["All Sellers", "/dashboard/allSellers"],
    ["Verify or delete in the list", "/dashboard/allSellers?q=salma%2B1%40example.com"],
    ["See the orders", "/dashboard/orders?q=salma%2B1%40example.com"],
  ] as const)
    expect(screen.getByRole("link", { name })).toHaveAttribute("href", to);
});

it("counts the phones, the orders and the reports", async () => {
  renderPerson();
  await screen.findByRole("heading", { name: "Salma" });
  expect(statTexts("Phones")).toEqual(["7", "offered or sold"]);
  expect(statTexts("Bought")[0]).toBe("2");
  expect(statTexts("Sold")).toEqual(["1,234", "3 cancelled by the seller"]);
  expect(statTexts("Reports about their phones")).toEqual(["4", "1 report by them"]);
});

it("shows what admins decided about them, and by whom and when", async () => {
  renderPerson({
    decisions: [
      anAuditEntry({ action: "refund-order", target: "Nexus 5", actor: "Rita" }),
      anAuditEntry({ action: "set-password", target: "Salma", actor: undefined }),
    ],
  });
  const list = within(await screen.findByRole("region", { name: "What admins decided" }));
  const [refund, password] = list.getAllByRole("listitem");
  expect(refund).toHaveTextContent(/^Refunded an order Nexus 5Rita, 21 Nov 2026, /);
  expect(password).toHaveTextContent("Server command, 21 Nov 2026");
  expect(list.queryByText("Nothing yet.")).toBeNull();
});

it("shows a deleted buyer without a phone number, about whom nothing was decided", async () => {
  renderPerson({
    accountType: "User",
    verified: false,
    confirmed: false,
    removed: true,
    contact: { name: "Rahim", email: "rahim@example.com", phone: "", location: "" },
  });
  expect(await screen.findByRole("heading", { name: "Rahim" })).toBeVisible();
  for (const text of ["Buyer", "Email not confirmed", "Deleted", "Nothing yet."])
    expect(screen.getByText(text)).toBeVisible();
  expect(screen.queryByText("Verified")).toBeNull();
  expect(screen.getByRole("link", { name: "All Buyers" })).toHaveAttribute("href", "/dashboard/allBuyers");
  expect(document.querySelector('a[href^="tel:"]')).toBeNull();
});

it("names an admin as such", async () => {
  renderPerson({ accountType: "User", admin: true });
  expect(await screen.findByText("Admin")).toBeVisible();
  expect(screen.queryByText("Buyer")).toBeNull();
});

it("says that there is no such person", async () => {
  on("get", "/people/unknown", errorResponse(404, "Not found"));
  renderPage("unknown");
  expect(await screen.findByText("There is no such person")).toBeVisible();
  expect(screen.getByText(/The account may have been deleted/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

it("shows another error with a retry button", async () => {
  const person = aPerson();
  on("get", `/people/${person._id}`, errorResponse(503, "Please try again in a moment"));
  const { user } = renderPage(person._id);
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  on("get", `/people/${person._id}`, { body: { ...person } });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { name: "Salma" })).toBeVisible();
});

it("has no link to the orders for a moderator", async () => {
  const person = aPerson();
  on("get", `/people/${person._id}`, { body: { ...person } });
  onRole(karim.email, "moderator");
  /** The page, with a menu that knows the role. */
  function Page() {
    useRole();
    return <Person />;
  }
  renderScreen(
    <Routes>
      <Route path="dashboard/person/:id" element={<Page />} />
    </Routes>,
    { me: karim, at: `/dashboard/person/${person._id}` },
  );
  expect(await screen.findByText("1,234")).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("link", { name: "See the orders" })).toBeNull());
});
