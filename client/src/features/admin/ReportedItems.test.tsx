import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Report } from "@/api/types";
import { anEvent, aReport, aUser, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, onNetworkError, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import ReportedItems from "./ReportedItems";

startServer();

const nadia = aUser({ name: "Nadia", email: "nadia@example.com", accountType: "Seller" });
const DONE = { body: { acknowledged: true, deletedCount: 1 } };
const QUESTIONS = {
  Delete: "Are you sure you want to delete this report?",
  "Remove phone": "Are you sure you want to remove this phone?",
  "Remove seller": "Are you sure you want to delete this seller?",
};

/** The screen with a report of Nadia's iPhone 6, or with these. */
function open(...some: Partial<Report>[]) {
  const all = (some.length > 0 ? some : [{}]).map((over) => aReport({ sellerID: nadia._id, ...over }));
  const reports = onList("/reportedItems", "admin", all);
  const sellers = onList("/users/sellers", "admin", [nadia]);
  return { reports, sellers, report: all[0] as Report, ...renderScreen(<ReportedItems />, { me: karim }) };
}

type Screen = ReturnType<typeof open>;

const rowOf = async (phone = "iPhone 6") => (await screen.findByText(phone)).closest("tr") as HTMLElement;
const hear = ({ store }: Screen, type: string, data: { _id: string; version: number }) =>
  receiveEvents(store, anEvent("admin", type, data));

/** Presses a button of the row and confirms its question; returns what the question explained. */
async function press(user: Screen["user"], name: keyof typeof QUESTIONS) {
  await user.click(await within(await rowOf()).findByRole("button", { name }));
  const dialog = screen.getByRole("alertdialog", { name: QUESTIONS[name] });
  const explained = dialog.textContent;
  await user.click(within(dialog).getByRole("button", { name }));
  return explained;
}

it("shows the reports, live", async () => {
  const shown = open({ reason: "Stolen" });
  expect(within(await rowOf()).getByText("Stolen")).toBeVisible();
  const headers = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  expect(headers).toEqual(["Product Image", "Product Name", "Reporter Name", "Report Reason", "Delete"]);
  const fresh = aReport({ productName: "Nexus 5", reason: "Fake" });
  hear(shown, "report.created", fresh);
  // At the end, so that no row moves while the admin is about to press a button.
  expect(screen.getAllByRole("row").at(-1)).toHaveTextContent("Nexus 5");
  hear(shown, "report.removed", { _id: fresh._id, version: 2 });
  expect(screen.queryByText("Nexus 5")).toBeNull();
});

it("links to the phone, its seller and the reporter", async () => {
  const { report } = open({}, { productName: "Nexus 5", userName: nadia.name, email: nadia.email });
  const row = within(await rowOf());
  expect(row.getByRole("link", { name: "iPhone 6" })).toHaveAttribute("href", `/phone/${report.productID}`);
  expect(await row.findByRole("link", { name: "Seller: Nadia" })).toHaveAttribute(
    "href",
    "/dashboard/allSellers?q=nadia%40example.com",
  );
  expect(row.getByRole("link", { name: "Karim Uddin" })).toHaveAttribute(
    "href",
    "/dashboard/allBuyers?q=karim%40example.com",
  );
  expect(within(await rowOf("Nexus 5")).getByRole("link", { name: "Nadia" })).toHaveAttribute(
    "href",
    "/dashboard/allSellers?q=nadia%40example.com",
  );
});

it("dismisses only the report, after a confirmation", async () => {
  const { user, reports, report } = open();
  on("delete", `/reportedItems/${report._id}`, () => {
    reports.pop();
    return DONE;
  });
  expect(await press(user, "Delete")).toContain("The phone and its seller stay.");
  expect(await screen.findByText("Report Deleted Successfully")).toBeVisible();
  expect(await screen.findByText("No reports yet")).toBeVisible();
});

it("removes only the phone, after a confirmation", async () => {
  const { user, report } = open();
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

it("deletes the seller after a confirmation, and keeps the report", async () => {
  const { user, sellers } = open();
  on("delete", `/users/${nadia._id}`, () => {
    sellers.pop();
    return DONE;
  });
  expect(await press(user, "Remove seller")).toContain("all their phones are removed");
  expect(await screen.findByText("Seller Deleted Successfully")).toBeVisible();
  expect(await screen.findByText("Seller removed")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Remove seller" })).toBeNull();
  expect(screen.queryByRole("link", { name: "Seller: Nadia" })).toBeNull();
  expect(await rowOf()).toBeVisible();
});

it("shows what another admin removed meanwhile", async () => {
  const shown = open();
  await screen.findByRole("button", { name: "Remove seller" });
  hear(shown, "product.removed", { _id: shown.report.productID, version: 2 });
  expect(screen.getByText("Phone removed")).toBeVisible();
  expect(screen.queryByRole("link", { name: "iPhone 6" })).toBeNull();
  hear(shown, "user.removed", { _id: nadia._id, version: 2 });
  expect(screen.getByText("Seller removed")).toBeVisible();
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Delete"]);
});

it("shows phones and sellers that were removed earlier", async () => {
  open(
    { phoneRemoved: true, version: 2, sellerID: "gone" },
    { productName: "Nexus 5", phoneRemoved: true, version: 2, sellerID: undefined },
  );
  expect(await within(await rowOf()).findByText("Seller removed")).toBeVisible();
  expect(within(await rowOf()).getByText("Phone removed")).toBeVisible();
  expect(within(await rowOf("Nexus 5")).getByText("Seller unknown")).toBeVisible();
});

it.each([
  ["Remove phone", 404, "There is no such phone", "Phone removed"],
  ["Remove phone", 409, "This phone has been sold", "Remove phone"],
  ["Remove seller", 404, "There is no such person", "Seller removed"],
  ["Remove seller", 503, "Please try again in a moment", "Remove seller"],
  ["Delete", 503, "Please try again in a moment", "Remove phone"],
] as const)("%s: says why not (%i)", async (button, status, words, then) => {
  const { user, report } = open();
  on("delete", `/products/${report.productID}`, errorResponse(status, words));
  on("delete", `/users/${nadia._id}`, errorResponse(status, words));
  on("delete", `/reportedItems/${report._id}`, errorResponse(status, words));
  await press(user, button);
  expect(await screen.findByText(words)).toBeVisible();
  expect(within(await rowOf()).getByText(then)).toBeVisible();
});

it("shows an error of the sellers with a retry button", async () => {
  onList("/reportedItems", "admin", [aReport({ sellerID: nadia._id })]);
  onNetworkError("get", "/users/sellers");
  const { user } = renderScreen(<ReportedItems />, { me: karim });
  expect(await screen.findByText(/can't be reached/)).toBeVisible();
  expect(within(await rowOf()).queryByRole("button", { name: "Remove seller" })).toBeNull();
  onList("/users/sellers", "admin", [nadia]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await within(await rowOf()).findByRole("button", { name: "Remove seller" })).toBeVisible();
});
