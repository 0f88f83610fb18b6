import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Report } from "@/api/types";
import { anEvent, aReport, aUser, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, onNetworkError, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import { columnHeaders, findRow } from "@/testing/tables";
import ReportedItems from "./ReportedItems";

startServer();

const nadia = aUser({ name: "Nadia", email: "nadia@example.com", accountType: "Seller" });
const DONE = { body: { acknowledged: true, deletedCount: 1 } };
const QUESTIONS = {
  Delete: "Are you sure you want to delete this report?",
  "Remove phone": "Are you sure you want to remove this phone?",
  "Remove seller": "Are you sure you want to delete this seller?",
};

/** Renders the screen with a report of Nadia's iPhone 6, or with these reports. */
function renderReports(...overrides: Partial<Report>[]) {
  const items = overrides.length > 0 ? overrides : [{}];
  const reports = onList(
    "/reportedItems",
    "admin",
    items.map((item) => aReport({ sellerID: nadia._id, ...item })),
  );
  const sellers = onList("/users/sellers", "admin", [nadia]);
  return {
    reports,
    sellers,
    report: reports[0] as Report,
    ...renderScreen(<ReportedItems />, { me: karim }),
  };
}

type Screen = ReturnType<typeof renderReports>;

const findReport = (phone = "iPhone 6") => findRow(phone);
const receive = ({ store }: Screen, type: string, data: { _id: string; version: number }) =>
  receiveEvents(store, anEvent("admin", type, data));

/** Presses a button of the row and confirms its question; returns the text of its dialog. */
async function press(user: Screen["user"], name: keyof typeof QUESTIONS) {
  await user.click(await within(await findReport()).findByRole("button", { name }));
  const dialog = screen.getByRole("alertdialog", { name: QUESTIONS[name] });
  const text = dialog.textContent;
  await user.click(within(dialog).getByRole("button", { name }));
  return text;
}

it("shows what was said in a reported conversation", async () => {
  const line = { at: "2026-11-20T10:00:00Z", by: "Karim", byReporter: true, reported: false };
  renderReports({
    reason: "Wants money first",
    quotes: [
      { ...line, text: "Can we meet?" },
      { at: "2026-11-20T10:01:00Z", by: "Nadia", byReporter: false, reported: true, text: "Send it first" },
    ],
  });
  const quotes = within(await findReport()).getByRole("list", { name: "From the conversation" });
  expect(
    within(quotes)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual(["Karim: Can we meet?", "Nadia (reported): Send it first"]);
});

it("shows the reports, and is updated by events", async () => {
  const view = renderReports({ reason: "Stolen" });
  expect(within(await findReport()).getByText("Stolen")).toBeVisible();
  expect(columnHeaders()).toEqual([
    "Product Image",
    "Product Name",
    "Reporter Name",
    "Report Reason",
    "Delete",
  ]);
  const newReport = aReport({ productName: "Nexus 5", reason: "Fake" });
  receive(view, "report.created", newReport);
  // The new row is last, so that no row moves while the admin is about to press a button.
  expect(screen.getAllByRole("row").at(-1)).toHaveTextContent("Nexus 5");
  receive(view, "report.removed", { _id: newReport._id, version: 2 });
  expect(screen.queryByText("Nexus 5")).toBeNull();
});

it("links to the phone, its seller, the reporter and the case", async () => {
  const { report } = renderReports({}, { productName: "Nexus 5", userName: nadia.name, email: nadia.email });
  const row = within(await findReport());
  expect(row.getByRole("link", { name: "iPhone 6" })).toHaveAttribute("href", `/phone/${report.productID}`);
  expect(await row.findByRole("link", { name: "Seller: Nadia" })).toHaveAttribute(
    "href",
    "/dashboard/allSellers?q=nadia%40example.com",
  );
  expect(row.getByRole("link", { name: "Open the case" })).toHaveAttribute(
    "href",
    `/dashboard/cases/${report.caseID}`,
  );
  expect(row.getByRole("link", { name: "Karim Uddin" })).toHaveAttribute(
    "href",
    "/dashboard/allBuyers?q=karim%40example.com",
  );
  expect(within(await findReport("Nexus 5")).getByRole("link", { name: "Nadia" })).toHaveAttribute(
    "href",
    "/dashboard/allSellers?q=nadia%40example.com",
  );
});

it("dismisses only the report, after a confirmation", async () => {
  const { user, reports, report } = renderReports();
  on("delete", `/reportedItems/${report._id}`, () => {
    reports.pop();
    return DONE;
  });
  expect(await press(user, "Delete")).toContain("The phone and its seller stay.");
  expect(await screen.findByText("Report Deleted Successfully")).toBeVisible();
  expect(await screen.findByText("No reports yet")).toBeVisible();
});

it("removes only the phone, after a confirmation", async () => {
  const { user, report } = renderReports();
  on("delete", `/products/${report.productID}`, DONE);
  expect(await press(user, "Remove phone")).toContain(
    "If someone has booked it, the booking is cancelled and any payment is refunded.",
  );
  expect(await screen.findByText("Phone Removed Successfully")).toBeVisible();
  expect(await screen.findByText("Phone removed")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Remove phone" })).toBeNull();
  expect(screen.getByRole("button", { name: "Remove seller" })).toBeVisible();
  expect(callsTo("DELETE", `/reportedItems/${report._id}`)).toHaveLength(0);
});

/** Opens the dialog that removes the phone, with the fields for a reason. */
async function openReason() {
  on("get", "/texts", { body: { texts: [], version: 1 } });
  const view = renderReports();
  await view.user.click(await within(await findReport()).findByRole("button", { name: "Remove phone" }));
  const dialog = within(screen.getByRole("alertdialog", { name: QUESTIONS["Remove phone"] }));
  expect(dialog.getByText(/hidden.*can ask another admin to look again/)).toBeVisible();
  await view.user.click(dialog.getByRole("button", { name: "Say why" }));
  const path = `/products/${view.report.productID}`;
  return { ...view, dialog, path, remove: dialog.getByRole("button", { name: "Remove phone" }) };
}

it("sends the reason of a removal, which needs twenty characters", async () => {
  const { user, dialog, path, remove } = await openReason();
  on("delete", path, DONE);
  await user.click(dialog.getByRole("radio", { name: "Stolen" }));
  await user.type(dialog.getByLabelText("Your words to them"), "Stolen");
  await user.click(remove);
  expect(dialog.getByText("Please write at least 20 characters")).toBeVisible();
  expect(callsTo("DELETE", path)).toHaveLength(0);
  await user.type(dialog.getByLabelText("Your words to them"), " from a shop in Dhaka");
  await user.click(remove);
  expect(await screen.findByText("Phone Removed Successfully")).toBeVisible();
  expect(callsTo("DELETE", path).map(({ body }) => body)).toEqual([
    { rule: "stolen", words: "Stolen from a shop in Dhaka" },
  ]);
});

it("sends no reason if its fields are empty", async () => {
  const { user, path, remove } = await openReason();
  on("delete", path, DONE);
  await user.click(remove);
  expect(await screen.findByText("Phone Removed Successfully")).toBeVisible();
  expect(callsTo("DELETE", path).map(({ body }) => body)).toEqual([null]);
});

it("shows what the server says about a reason, and keeps it", async () => {
  const { user, dialog, path, remove } = await openReason();
  on("delete", path, errorResponse(422, "Please check the fields", { words: "has a link" }));
  await user.type(dialog.getByLabelText("Your words to them"), "Stolen from a shop in Dhaka");
  await user.click(remove);
  expect(await dialog.findByText("has a link")).toBeVisible();
  expect(dialog.getByLabelText("Your words to them")).toHaveValue("Stolen from a shop in Dhaka");
});

it("deletes the seller after a confirmation, and keeps the report", async () => {
  const { user, sellers } = renderReports();
  on("delete", `/users/${nadia._id}`, () => {
    sellers.pop();
    return DONE;
  });
  expect(await press(user, "Remove seller")).toContain("all their phones are hidden");
  expect(await screen.findByText("Seller Deleted Successfully")).toBeVisible();
  expect(await screen.findByText("Seller removed")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Remove seller" })).toBeNull();
  expect(screen.queryByRole("link", { name: "Seller: Nadia" })).toBeNull();
  expect(await findReport()).toBeVisible();
});

it("shows what another admin removed meanwhile", async () => {
  const view = renderReports();
  await screen.findByRole("button", { name: "Remove seller" });
  receive(view, "product.removed", { _id: view.report.productID, version: 2 });
  expect(screen.getByText("Phone removed")).toBeVisible();
  expect(screen.queryByRole("link", { name: "iPhone 6" })).toBeNull();
  receive(view, "user.removed", { _id: nadia._id, version: 2 });
  expect(screen.getByText("Seller removed")).toBeVisible();
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Delete"]);
});

it("shows phones and sellers that were removed earlier", async () => {
  renderReports(
    { phoneRemoved: true, version: 2, sellerID: "unknown" },
    { productName: "Nexus 5", phoneRemoved: true, version: 2, sellerID: undefined },
  );
  expect(await within(await findReport()).findByText("Seller removed")).toBeVisible();
  expect(within(await findReport()).getByText("Phone removed")).toBeVisible();
  expect(within(await findReport("Nexus 5")).getByText("Seller unknown")).toBeVisible();
});

it.each([
  ["Remove phone", 404, "There is no such phone", "Phone removed"],
  ["Remove phone", 409, "This phone has been sold", "Remove phone"],
  ["Remove seller", 404, "There is no such person", "Seller removed"],
  ["Remove seller", 503, "Please try again in a moment", "Remove seller"],
  ["Delete", 503, "Please try again in a moment", "Remove phone"],
] as const)("%s shows the reason when it fails with %i", async (button, status, message, label) => {
  const { user, report } = renderReports();
  on("delete", `/products/${report.productID}`, errorResponse(status, message));
  on("delete", `/users/${nadia._id}`, errorResponse(status, message));
  on("delete", `/reportedItems/${report._id}`, errorResponse(status, message));
  await press(user, button);
  expect(await screen.findByText(message)).toBeVisible();
  expect(within(await findReport()).getByText(label)).toBeVisible();
});

it("shows an error of the sellers with a retry button", async () => {
  onList("/reportedItems", "admin", [aReport({ sellerID: nadia._id })]);
  onNetworkError("get", "/users/sellers");
  const { user } = renderScreen(<ReportedItems />, { me: karim });
  expect(await screen.findByText(/can't be reached/)).toBeVisible();
  expect(within(await findReport()).queryByRole("button", { name: "Remove seller" })).toBeNull();
  onList("/users/sellers", "admin", [nadia]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await within(await findReport()).findByRole("button", { name: "Remove seller" })).toBeVisible();
});
