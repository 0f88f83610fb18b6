import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { useRole } from "@/api/role";
import { anAuditEntry, anEvent, karim } from "@/testing/factories";
import { errorResponse, on, onList, onRole, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import AuditTrail from "./AuditTrail";

startServer();

/** The trail, on a page whose menu knows the role. */
function Page() {
  useRole();
  return <AuditTrail />;
}

const renderTrail = () => renderScreen(<AuditTrail />, { me: karim });
const rows = () => screen.getAllByRole("row").slice(1);

it("shows the admin, the action, its object and its time, newest first", async () => {
  const restored = anAuditEntry({ actor: undefined, action: "restore", target: "2026-11-20T09:30:00Z" });
  onList("/auditLog", "admin", [anAuditEntry({ actor: "Rita", target: "Salma" }), restored]);
  renderTrail();
  expect(await screen.findByRole("heading", { name: "Audit Trail" })).toBeVisible();
  const headers = (await screen.findAllByRole("columnheader")).map(({ textContent }) => textContent);
  expect(headers).toEqual(["Action", "About", "By", "When"]);
  const [verified, backup] = rows() as [HTMLElement, HTMLElement];
  for (const text of ["Verified a seller", "Salma", "Rita"]) {
    expect(within(verified).getByText(text)).toBeVisible();
  }
  expect(verified.querySelector("time")).toHaveAttribute("datetime", "2026-11-21T04:00:00Z");
  expect(within(backup).getByText("Restored a backup")).toBeVisible();
  expect(within(backup).getByText(/^of 20 Nov 2026/)).toBeVisible();
  expect(within(backup).getByText("Server command")).toBeVisible();
});

it("links to the admin, and to the order or the person that the action was about", async () => {
  onList("/auditLog", "admin", [
    anAuditEntry({ actor: "Rita", actorId: "a1", target: "Salma", targetId: "p1" }),
    anAuditEntry({ action: "refund-order", target: "Nexus 5", targetId: "o1" }),
    // What was deleted has no page, and neither have a backup and the operator.
    anAuditEntry({ action: "remove-phone", actor: "Nadia", target: "Pixel", targetId: "p2", actorId: "a2" }),
    anAuditEntry({ action: "restore", actor: undefined, actorId: undefined, target: "2026-11-20T09:30:00Z" }),
  ]);
  renderTrail();
  await screen.findByText("Nexus 5");
  const links = (row: HTMLElement | undefined) =>
    within(row as HTMLElement)
      .queryAllByRole("link")
      .map((link) => [link.textContent, link.getAttribute("href")]);
  const [restored, removed, refunded, verified] = rows();
  expect(links(verified)).toEqual([
    ["Salma", "/dashboard/person/p1"],
    ["Rita", "/dashboard/person/a1"],
  ]);
  expect(links(refunded)[0]).toEqual(["Nexus 5", "/dashboard/order/o1"]);
  expect(links(removed)).toEqual([["Nadia", "/dashboard/person/a2"]]);
  expect(links(restored)).toEqual([]);
});

it("shows a moderator what was decided about an order, without a link to it", async () => {
  onRole(karim.email, "moderator");
  onList("/auditLog", "admin", [anAuditEntry({ action: "refund-order", target: "Nexus 5", targetId: "o1" })]);
  renderScreen(<Page />, { me: karim });
  expect(await screen.findByText("Nexus 5")).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("link", { name: "Nexus 5" })).toBeNull());
});

it("says that an admin decided for a return, with a link to the order", async () => {
  onList("/auditLog", "admin", [anAuditEntry({ action: "return-order", target: "Nexus 5", targetId: "o1" })]);
  renderTrail();
  expect(await screen.findByText("Decided that a phone is returned")).toBeVisible();
  expect(screen.getByRole("link", { name: "Nexus 5" })).toHaveAttribute("href", "/dashboard/order/o1");
});

it("shows the name of an action that this client does not know", async () => {
  onList("/auditLog", "admin", [anAuditEntry({ action: "unknown-action" as never })]);
  renderTrail();
  expect(await screen.findByText("unknown-action")).toBeVisible();
});

it("adds a row when the event of a new action arrives, and announces it", async () => {
  onList("/auditLog", "admin", [anAuditEntry({ target: "Salma" })]);
  const { store } = renderTrail();
  await screen.findByText("Salma");
  const entry = anAuditEntry({ target: "Selim", action: "remove-seller" });
  receiveEvents(store, anEvent("admin", "audit.added", entry));
  expect(screen.getByText("Deleted a seller")).toBeVisible();
  expect(await screen.findByText("Audit trail: Deleted a seller, Selim")).toBeInTheDocument();
  expect(screen.queryByText(/^Audit trail: Verified/)).toBeNull();
});

it("shows that there are no entries yet", async () => {
  onList("/auditLog", "admin", []);
  renderTrail();
  expect(await screen.findByText("No entries yet")).toBeVisible();
});

it("shows an error with a retry button", async () => {
  on("get", "/auditLog", errorResponse(503, "Please try again in a moment"));
  const { user } = renderTrail();
  expect(await screen.findByText("Please try again in a moment")).toBeVisible();
  onList("/auditLog", "admin", [anAuditEntry({ target: "Salma" })]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Salma")).toBeVisible();
});
