import { screen, waitFor, within } from "@testing-library/react";
import type { ReactElement } from "react";
import { Link } from "react-router-dom";
import { describe, expect, it } from "vitest";
import { anEvent, aProduct, aUser, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, onNetworkError, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import { columnHeaders, findRow } from "@/testing/tables";
import AllBuyers from "./AllBuyers";
import AllSellers from "./AllSellers";

startServer();

const renderTable = (table: ReactElement, at?: string) => renderScreen(table, { me: karim, at });

/** Presses Delete in a row and confirms the question. */
async function deletePerson(
  user: ReturnType<typeof renderTable>["user"],
  row: HTMLElement,
  question: string,
) {
  await user.click(within(row).getByRole("button", { name: /^Delete/ }));
  const dialog = screen.getByRole("alertdialog", { name: question });
  await user.click(within(dialog).getByRole("button", { name: "Delete" }));
}

describe("All Buyers", () => {
  const question = "Are you sure you want to delete this buyer?";

  it("shows the number of buyers and a row for each", async () => {
    const [, rahim] = onList("/users/buyers", "admin", [
      aUser({ name: "Karim" }),
      aUser({ name: "Rahim", email: "rahim@example.com" }),
    ]);
    renderTable(<AllBuyers />);
    expect(await screen.findByRole("heading", { name: "All Buyers: 2" })).toBeVisible();
    expect(columnHeaders()).toEqual(["Name", "Email", "Delete"]);
    const row = within(await findRow("Rahim"));
    expect(row.getByRole("cell", { name: /rahim@example.com/ })).toBeVisible();
    expect(row.getByRole("link", { name: "Rahim" })).toHaveAttribute(
      "href",
      `/dashboard/person/${rahim!._id}`,
    );
  });

  it("deletes a person after a confirmation", async () => {
    const list = onList("/users/buyers", "admin", [aUser({ name: "Karim" }), aUser({ name: "Rahim" })]);
    on("delete", `/users/${list[0]!._id}`, () => {
      list.shift();
      return { body: { acknowledged: true, deletedCount: 1 } };
    });
    const { user } = renderTable(<AllBuyers />);
    await deletePerson(user, await findRow("Karim"), question);
    expect(await screen.findByText("Buyer Deleted Successfully")).toBeVisible();
    expect(await screen.findByRole("heading", { name: "All Buyers: 1" })).toBeVisible();
    expect(screen.queryByText("Karim")).toBeNull();
  });

  it("deletes nobody after Cancel in the confirmation", async () => {
    const [karim] = onList("/users/buyers", "admin", [aUser({ name: "Karim" })]);
    const { user } = renderTable(<AllBuyers />);
    await user.click(within(await findRow("Karim")).getByRole("button"));
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(callsTo("DELETE", `/users/${karim!._id}`)).toHaveLength(0);
  });

  it("shows the server's message when the deletion fails", async () => {
    const [karim] = onList("/users/buyers", "admin", [aUser({ name: "Karim" })]);
    on("delete", `/users/${karim!._id}`, errorResponse(403, "An admin's account cannot be deleted"));
    const { user } = renderTable(<AllBuyers />);
    await deletePerson(user, await findRow("Karim"), question);
    expect(await screen.findByText("An admin's account cannot be deleted")).toBeVisible();
    expect(screen.getByText("Karim")).toBeVisible();
  });

  it("adds a row when a person signs up", async () => {
    onList("/users/buyers", "admin", [aUser({ name: "Karim" })]);
    const { store } = renderTable(<AllBuyers />);
    await findRow("Karim");
    const events = [
      anEvent("admin", "user.created", aUser({ name: "Rahim" })),
      anEvent("admin", "user.created", aUser({ name: "Salma", accountType: "Seller" })),
    ];
    receiveEvents(store, ...events);
    expect(screen.getByRole("heading", { name: "All Buyers: 2" })).toBeVisible();
    expect(screen.getByText("Rahim")).toBeVisible();
    expect(screen.queryByText("Salma")).toBeNull();
  });

  it("gives the focus to the next row when an event removes the row whose button has it", async () => {
    const [rahim] = onList("/users/buyers", "admin", [aUser({ name: "Rahim" }), aUser({ name: "Karim" })]);
    const { store } = renderTable(<AllBuyers />);
    within(await findRow("Rahim"))
      .getByRole("button")
      .focus();
    receiveEvents(store, anEvent("admin", "user.removed", { _id: rahim!._id, version: 2 }));
    expect(screen.queryByText("Rahim")).toBeNull();
    expect(await findRow("Karim")).toHaveFocus();
  });

  it("shows an empty list, and an error with a retry button", async () => {
    onNetworkError("get", "/users/buyers");
    const { user } = renderTable(<AllBuyers />);
    expect(await screen.findByText(/can't be reached/)).toBeVisible();
    onList("/users/buyers", "admin", []);
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("There are no buyers yet")).toBeVisible();
  });
});

describe("All Sellers", () => {
  const seller = (name: string, status?: string) =>
    aUser({ name, accountType: "Seller", ...(status && { status }) });

  it("shows verified sellers, and a button for the others only", async () => {
    const list = onList("/users/sellers", "admin", [seller("Salma", "verified"), seller("Nadia")]);
    renderTable(<AllSellers />);
    const salma = await findRow("Salma");
    expect(within(salma).getByRole("link", { name: "Salma" })).toHaveAttribute(
      "href",
      `/dashboard/person/${list[0]!._id}`,
    );
    expect(columnHeaders()).toEqual(["Name", "Email", "Status", "Verify", "Delete"]);
    expect(within(salma).getByText("verified")).toBeVisible();
    expect(within(salma).queryByRole("button", { name: "Make Verified" })).toBeNull();
    const nadia = await findRow("Nadia");
    expect(within(nadia).getByText("Not verified")).toBeVisible();
    expect(within(nadia).getByRole("button", { name: "Make Verified" })).toBeEnabled();
  });

  /** Presses Make Verified in the only row that has it; returns the dialog and its button. */
  async function openVerification(user: ReturnType<typeof renderTable>["user"], name: string) {
    await user.click(await screen.findByRole("button", { name: "Make Verified" }));
    const dialog = screen.getByRole("alertdialog", { name: `Verify ${name}?` });
    return { dialog, confirm: within(dialog).getByRole("button", { name: "Make Verified" }) };
  }

  it("shows name, contact and phones before it verifies a seller", async () => {
    const list = onList("/users/sellers", "admin", [seller("Nadia")]);
    const phones = Array.from({ length: 7 }, (_, n) =>
      aProduct({ name: `Phone ${n}`, phone: "+880 1711 222333", location: n < 6 ? "Dhaka" : "Khulna" }),
    );
    onList("/products", null, phones);
    on("put", `/users/seller/${list[0]!._id}`, () => {
      list[0] = { ...list[0]!, version: 2, status: "verified" };
      return { body: { acknowledged: true, modifiedCount: 1 } };
    });
    const { user } = renderTable(<AllSellers />);
    const { dialog, confirm } = await openVerification(user, "Nadia");
    expect(await within(dialog).findByText("7 phones")).toBeVisible();
    expect(within(dialog).getByText("Nadia")).toBeVisible();
    expect(dialog).toHaveTextContent(list[0]!.email);
    expect(within(dialog).getByRole("link", { name: "+880 1711 222333" })).toBeVisible();
    expect(within(dialog).getByText("Khulna")).toBeVisible();
    expect(within(dialog).getByRole("link", { name: "Phone 6" })).toHaveAttribute(
      "href",
      `/phone/${phones[6]!._id}`,
    );
    expect(within(dialog).queryByRole("link", { name: "Phone 1" })).toBeNull();
    expect(within(dialog).getByText("and 2 more")).toBeVisible();
    expect(callsTo("PUT", `/users/seller/${list[0]!._id}`)).toHaveLength(0);

    await user.click(confirm);
    expect(await screen.findByText("Seller is Verified Now")).toBeVisible();
    expect(await screen.findByText("verified")).toBeVisible();
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(screen.queryByRole("button", { name: "Make Verified" })).toBeNull();
    expect(callsTo("PUT", `/users/seller/${list[0]!._id}`)[0]?.body).toEqual({ version: 1 });
  });

  it("verifies nobody after Cancel", async () => {
    const [nadia] = onList("/users/sellers", "admin", [seller("Nadia")]);
    onList("/products", null, []);
    const { user } = renderTable(<AllSellers />);
    const { dialog } = await openVerification(user, "Nadia");
    expect(await within(dialog).findByText("No phones yet")).toBeVisible();
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(callsTo("PUT", `/users/seller/${nadia!._id}`)).toHaveLength(0);
  });

  it("shows the new name and asks again when the server says that the seller has changed", async () => {
    const list = onList("/users/sellers", "admin", [seller("Nadia")]);
    const [nadia] = list;
    onList("/products", null, []);
    on("put", `/users/seller/${nadia!._id}`, async (request) => {
      const { version } = (await request.json()) as { version: number };
      if (version === 3) return { body: { acknowledged: true, modifiedCount: 1 } };
      return { status: 409, body: { message: "This seller has changed", code: "conflict" } };
    });
    const { user } = renderTable(<AllSellers />);
    const { confirm } = await openVerification(user, "Nadia");
    list[0] = { ...nadia!, name: "Apple Store Official", version: 3 };
    await user.click(confirm);
    const again = await screen.findByRole("alertdialog", { name: "Verify Apple Store Official?" });
    expect(within(again).getByText("This seller has changed. Please check them again.")).toBeVisible();
    expect(within(again).getByText("Nadia")).toBeVisible(); // crossed out
    const confirmAgain = within(again).getByRole("button", { name: "Make Verified" });
    await waitFor(() => expect(confirmAgain).toBeEnabled()); // The list may still be on its way.
    await user.click(confirmAgain);
    expect(await screen.findByText("Seller is Verified Now")).toBeVisible();
    expect(callsTo("PUT", `/users/seller/${nadia!._id}`).map(({ body }) => body)).toEqual([
      { version: 1 },
      { version: 3 },
    ]);
  });

  it("asks again without a request when an event has brought a new name", async () => {
    const [nadia] = onList("/users/sellers", "admin", [seller("Nadia")]);
    onList("/products", null, []);
    const { user, store } = renderTable(<AllSellers />);
    const { confirm } = await openVerification(user, "Nadia");
    const renamed = { ...nadia!, name: "Apple Store", version: 2 };
    receiveEvents(store, anEvent("admin", "user.changed", renamed));
    await user.click(confirm);
    expect(await screen.findByRole("alertdialog", { name: "Verify Apple Store?" })).toBeVisible();
    expect(callsTo("PUT", `/users/seller/${nadia!._id}`)).toHaveLength(0);
  });

  it("sends the newest version if nothing that the dialog shows has changed", async () => {
    const [nadia] = onList("/users/sellers", "admin", [seller("Nadia")]);
    onList("/products", null, []);
    on("put", `/users/seller/${nadia!._id}`, { body: { acknowledged: true, modifiedCount: 1 } });
    const { user, store } = renderTable(<AllSellers />);
    const { confirm } = await openVerification(user, "Nadia");
    receiveEvents(store, anEvent("admin", "user.changed", { ...nadia!, version: 2 }));
    await user.click(confirm);
    expect(await screen.findByText("Seller is Verified Now")).toBeVisible();
    expect(callsTo("PUT", `/users/seller/${nadia!._id}`)[0]?.body).toEqual({ version: 2 });
  });

  it("shows the server's message when the verification fails", async () => {
    const [nadia] = onList("/users/sellers", "admin", [seller("Nadia")]);
    onList("/products", null, []);
    on("put", `/users/seller/${nadia!._id}`, errorResponse(404, "There is no such seller"));
    const { user } = renderTable(<AllSellers />);
    const { confirm } = await openVerification(user, "Nadia");
    await user.click(confirm);
    expect(await screen.findByText("There is no such seller")).toBeVisible();
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  it("takes the badge back after a confirmation", async () => {
    const list = onList("/users/sellers", "admin", [seller("Salma", "verified")]);
    on("delete", `/users/seller/${list[0]!._id}`, () => {
      list[0] = seller("Salma");
      return { body: { acknowledged: true, modifiedCount: 1 } };
    });
    const { user } = renderTable(<AllSellers />);
    await user.click(within(await findRow("Salma")).getByRole("button", { name: "Take back" }));
    const dialog = screen.getByRole("alertdialog", {
      name: "Are you sure you want to take the badge back?",
    });
    await user.click(within(dialog).getByRole("button", { name: "Take back" }));
    expect(await screen.findByText("Badge Taken Back")).toBeVisible();
    expect(await screen.findByRole("button", { name: "Make Verified" })).toBeVisible();
    expect(within(await findRow("Salma")).getByText("Not verified")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Take back" })).toBeNull();
  });

  it("deletes a person after a confirmation", async () => {
    const list = onList("/users/sellers", "admin", [seller("Nadia")]);
    on("delete", `/users/${list[0]!._id}`, () => {
      list.pop();
      return { body: { acknowledged: true, deletedCount: 1 } };
    });
    const { user } = renderTable(<AllSellers />);
    await deletePerson(user, await findRow("Nadia"), "Are you sure you want to delete this seller?");
    expect(await screen.findByText("Seller Deleted Successfully")).toBeVisible();
    expect(await screen.findByText("There are no sellers yet")).toBeVisible();
  });
});

describe("search and filter", () => {
  const people = [
    aUser({ name: "Salma", email: "salma@shop.example", accountType: "Seller", status: "verified" }),
    aUser({ name: "Nadia", email: "nadia@shop.example", accountType: "Seller" }),
    aUser({ name: "Selim", email: "selim@home.example", accountType: "Seller" }),
  ];
  const names = () =>
    screen
      .getAllByRole("row")
      .slice(1)
      .map((row) => within(row).getByRole("link").textContent);

  it("searches names and emails during typing, and shows the number of results", async () => {
    onList("/users/sellers", "admin", people);
    const { user } = renderTable(<AllSellers />);
    await findRow("Salma");
    await user.type(screen.getByRole("searchbox", { name: "Name or email" }), "SHOP.ex");
    expect(await screen.findByText("2 of 3 match")).toBeVisible();
    expect(names()).toEqual(["Nadia", "Salma"]);
    await user.type(screen.getByRole("searchbox"), "x");
    expect(await screen.findByText("No matches")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Show all" }));
    await findRow("Selim");
    expect(screen.getByRole("searchbox")).toHaveValue("");
    expect(names()).toHaveLength(3);
  });

  it("reads the query from the URL, also after a link", async () => {
    onList("/users/sellers", "admin", people);
    const { user } = renderTable(
      <>
        <AllSellers />
        <Link to="/?q=selim%40home.example">Another seller</Link>
      </>,
      "/?q=nadia%40shop.example",
    );
    await findRow("Nadia");
    expect(screen.getByRole("searchbox")).toHaveValue("nadia@shop.example");
    expect(names()).toEqual(["Nadia"]);
    await user.click(screen.getByRole("link", { name: "Another seller" }));
    expect(screen.getByRole("searchbox")).toHaveValue("selim@home.example");
    expect(names()).toEqual(["Selim"]);
  });

  it("filters unverified sellers, and keeps the row of a seller who is verified meanwhile", async () => {
    const list = onList("/users/sellers", "admin", people);
    const { user, store } = renderTable(<AllSellers />, "/?verified=no");
    await findRow("Nadia");
    expect(names()).toEqual(["Selim", "Nadia"]);
    const nadia = { ...list[1]!, version: 2, status: "verified" };
    receiveEvents(store, anEvent("admin", "user.changed", nadia));
    expect(within(await findRow("Nadia")).getByText("verified")).toBeVisible();
    expect(screen.getByText("1 of 3 matches")).toBeVisible();
    await user.selectOptions(screen.getByRole("combobox", { name: "Status" }), "Verified");
    expect(names()).toEqual(["Nadia", "Salma"]);
  });

  it("adds only matching people live", async () => {
    onList("/users/buyers", "admin", [aUser({ name: "Karim" })]);
    const { store } = renderTable(<AllBuyers />, "/?q=kar");
    await findRow("Karim");
    const events = ["Karina", "Rahim"].map((name) =>
      anEvent("admin", "user.created", aUser({ name, email: `${name}@example.com` })),
    );
    receiveEvents(store, ...events);
    expect(names()).toEqual(["Karim", "Karina"]);
    expect(screen.getByRole("heading", { name: "All Buyers: 3" })).toBeVisible();
    expect(screen.getByText("2 of 3 match")).toBeVisible();
    expect(screen.queryByRole("combobox")).toBeNull();
  });

  it("loads all pages for a search only", async () => {
    const buyers = Array.from({ length: 130 }, (_, n) => aUser({ name: `Buyer ${n}` }));
    onList("/users/buyers", "admin", buyers);
    const { user } = renderTable(<AllBuyers />);
    await findRow("Buyer 129");
    expect(callsTo("GET", "/users/buyers")).toHaveLength(1);
    await user.type(screen.getByRole("searchbox"), "buyer 0");
    await findRow("Buyer 0");
    expect(screen.getByText("1 of 130 matches")).toBeVisible();
    expect(callsTo("GET", "/users/buyers")).toHaveLength(2);
  });
});
