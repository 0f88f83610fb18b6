import { act, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { sellerVerified } from "@/api/role";
import type { AdvertisePolicy, Product } from "@/api/types";
import { anEvent, aProduct, salma } from "@/testing/factories";
import {
  callsTo,
  errorResponse,
  on,
  onConfig,
  onList,
  onNetworkError,
  onRole,
  startServer,
} from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import { columnHeaders, findRow } from "@/testing/tables";
import MyProducts from "./MyProducts";

startServer();

interface Settings {
  isVerified?: boolean;
  advertise?: AdvertisePolicy;
}

function renderMyProducts(products: Product[], { isVerified = true, advertise = "verified" }: Settings = {}) {
  onConfig({ advertise });
  onRole(salma.email, "seller", isVerified);
  const list = onList("/products", "me", products);
  return { list, ...renderScreen(<MyProducts />, { me: salma }) };
}

const findAdvertiseButton = () => screen.findByRole("button", { name: /^Advertise/ });

describe("My Products", () => {
  it("shows the number of phones and the spec's columns and texts", async () => {
    renderMyProducts([
      aProduct({ name: "iPhone 6", resalePrice: 1250 }),
      aProduct({ name: "Nexus 5", booked: true }),
    ]);
    expect(await screen.findByRole("heading", { name: "My Products: 2" })).toBeVisible();
    expect(columnHeaders()).toEqual(["Product-Name", "Price", "Sales-status", "Advertise", "Delete"]);
    const available = await findRow("iPhone 6");
    expect(within(available).getByText("$1,250")).toBeVisible();
    expect(within(available).getByText("Available")).toBeVisible();
    expect(within(await findRow("Nexus 5")).getByText("Sold")).toBeVisible();
  });

  it("leads to the offers for each phone that is not sold", async () => {
    const [phone] = renderMyProducts([
      aProduct({ name: "Nokia 3310" }),
      aProduct({ name: "Sold phone", booked: true, sold: true }),
    ]).list;
    const link = within(await findRow("Nokia 3310")).getByRole("link", { name: "Offers for Nokia 3310" });
    expect(link).toHaveAttribute("href", `/dashboard/messages?product=${phone?._id}`);
    expect(within(await findRow("Sold phone")).queryByText("Offers")).toBeNull();
  });

  it("shows whether a phone is held or paid, and the buyer and the order of a paid one", async () => {
    const buyer = { name: "Karim", email: "karim@example.com", phone: "01711", location: "Gulshan" };
    renderMyProducts([
      aProduct({ name: "Held", booked: true, heldUntil: "2026-11-22T10:00:00Z" }),
      aProduct({ name: "Sold phone", booked: true, sold: true, buyer, bookingId: "b1" }),
    ]);
    expect(within(await findRow("Held")).getByText(/^Held until 22 Nov/)).toBeVisible();
    expect(within(await findRow("Held")).getByText("On hold")).toBeVisible();
    expect(within(await findRow("Sold phone")).queryByText("On hold")).toBeNull();
    expect(
      within(await findRow("Sold phone")).getByRole("link", { name: "See order of Sold phone" }),
    ).toHaveAttribute("href", "/dashboard/order/b1");
    expect(within(await findRow("Held")).queryByRole("link", { name: /^See order/ })).toBeNull();
    expect(within(await findRow("Sold phone")).getByText("Paid by Karim")).toBeVisible();
    expect(
      within(await findRow("Sold phone")).getByRole("link", { name: "karim@example.com", hidden: true }),
    ).toHaveAttribute("href", "mailto:karim@example.com");
  });

  it("links each name to the edit form", async () => {
    const phone = aProduct({ name: "iPhone 6" });
    renderMyProducts([phone]);
    expect(
      await screen.findByRole("link", { name: "iPhone 6", description: "Edit iPhone 6" }),
    ).toHaveAttribute("href", `/dashboard/myProducts/${phone._id}`);
    expect(screen.getByRole("link", { name: "View page of iPhone 6" })).toHaveAttribute(
      "href",
      `/phone/${phone._id}`,
    );
  });

  it("links to the form of a new phone like each one, and of a refunded one again", async () => {
    const phone = aProduct({ name: "iPhone 6" });
    const refunded = aProduct({ name: "Nexus 5", booked: true, sold: true, refunded: true });
    renderMyProducts([phone, refunded]);
    expect(await screen.findByRole("link", { name: "List another like this: iPhone 6" })).toHaveAttribute(
      "href",
      `/dashboard/addProduct?like=${phone._id}`,
    );
    expect(screen.getByRole("link", { name: "List Nexus 5 again" })).toHaveAttribute(
      "href",
      `/dashboard/addProduct?like=${refunded._id}&again=true`,
    );
    expect(screen.getAllByRole("link", { name: /^List / })).toHaveLength(2);
  });

  it("shows a booked phone when its event arrives", async () => {
    const phone = aProduct({ name: "iPhone 6" });
    const { store } = renderMyProducts([phone]);
    await findRow("iPhone 6");
    const booked = { ...phone, version: 2, booked: true };
    receiveEvents(store, anEvent("me", "product.booked", booked));
    expect(within(await findRow("iPhone 6")).getByText("Sold")).toBeVisible();
  });

  it("links to the form if there are no phones", async () => {
    renderMyProducts([]);
    expect(await screen.findByRole("link", { name: "Add your first one" })).toHaveAttribute(
      "href",
      "/dashboard/addProduct",
    );
  });

  it("shows an error with a retry button", async () => {
    onConfig();
    onRole(salma.email, "seller");
    onNetworkError("get", "/products");
    const { user } = renderScreen(<MyProducts />, { me: salma });
    expect(await screen.findByText(/can't be reached/)).toBeVisible();
    onList("/products", "me", [aProduct({ name: "iPhone 6" })]);
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await findRow("iPhone 6")).toBeVisible();
  });
});

describe("Advertise", () => {
  it("is disabled with a reason until an admin verifies the seller", async () => {
    const { store } = renderMyProducts([aProduct()], { isVerified: false });
    expect(await findAdvertiseButton()).toBeDisabled();
    expect(await findAdvertiseButton()).toHaveAccessibleDescription("Get verified by an admin to advertise");
    // The reason is visible above the table, and is the description of each button.
    expect(await screen.findAllByText("Get verified by an admin to advertise")).toHaveLength(2);
    act(() => void store.dispatch(sellerVerified(salma.email, true)));
    await screen.findByRole("button", { name: /^Advertise/, description: "" });
    expect(await findAdvertiseButton()).toBeEnabled();
  });

  it("explains the verification and how to get it", async () => {
    const { user, store } = renderMyProducts([aProduct()], { isVerified: false });
    await user.click(await screen.findByRole("button", { name: "How to get verified" }));
    const dialog = screen.getByRole("dialog", { name: "How to get verified" });
    expect(dialog).toHaveTextContent("A verified seller has shown us who they are.");
    expect(dialog).toHaveTextContent("Show us your shop.");
    await user.click(within(dialog).getByRole("button", { name: "Close" }));
    act(() => void store.dispatch(sellerVerified(salma.email, true)));
    expect(await screen.findByText(/^Advertised phones appear/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "How to get verified" })).toBeNull();
  });

  it("advertises the phone, shows a toast and becomes Advertised", async () => {
    const phone = aProduct();
    const { user, list } = renderMyProducts([phone]);
    on("put", `/products/advertise/${phone._id}`, () => {
      list[0] = { ...phone, version: 2, advertise: true };
      return { body: { acknowledged: true, modifiedCount: 1 } };
    });
    await screen.findByRole("button", { name: /^Advertise/, description: "" });
    await user.click(await findAdvertiseButton());
    expect(await screen.findByText("Advertise Successful")).toBeVisible();
    expect(await screen.findByText("Advertised")).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Advertise/ })).toBeNull();
  });

  it("stops advertising, shows a toast and can advertise again", async () => {
    const phone = aProduct({ name: "iPhone 6", advertise: true });
    const { user, list } = renderMyProducts([phone]);
    on("delete", `/products/advertise/${phone._id}`, () => {
      list[0] = { ...phone, version: 2, advertise: false };
      return { body: { acknowledged: true, modifiedCount: 1 } };
    });
    const stop = { name: "Stop advertising", description: "Stop advertising iPhone 6" };
    await user.click(await screen.findByRole("button", stop));
    expect(await screen.findByText("Advertising Stopped")).toBeVisible();
    expect(await findAdvertiseButton()).toBeVisible();
    expect(screen.queryByText("Advertised")).toBeNull();
  });

  it("shows the server's message when stopping fails, and shows changes from other windows", async () => {
    const phone = aProduct({ advertise: true });
    on("delete", `/products/advertise/${phone._id}`, errorResponse(404, "There is no such phone"));
    const { user, store } = renderMyProducts([phone]);
    await user.click(await screen.findByRole("button", { name: "Stop advertising" }));
    expect(await screen.findByText("There is no such phone")).toBeVisible();
    const stopped = { ...phone, version: 2, advertise: false };
    receiveEvents(store, anEvent("me", "product.changed", stopped));
    expect(screen.queryByText("Advertised")).toBeNull();
    expect(await findAdvertiseButton()).toBeVisible();
  });

  it("has no Stop button for a booked phone", async () => {
    renderMyProducts([aProduct({ booked: true, advertise: true })]);
    expect(await screen.findByText("Advertised")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Stop advertising" })).toBeNull();
  });

  it("shows the server's message after an error", async () => {
    const phone = aProduct();
    on("put", `/products/advertise/${phone._id}`, errorResponse(403, "Advertising is currently unavailable"));
    const { user } = renderMyProducts([phone], { advertise: "all", isVerified: false });
    await screen.findByRole("button", { name: /^Advertise/, description: "" });
    await user.click(await findAdvertiseButton());
    expect(await screen.findByText("Advertising is currently unavailable")).toBeVisible();
  });

  it("is disabled for all phones by the setting", async () => {
    renderMyProducts([aProduct()], { advertise: "off" });
    await screen.findAllByText("Advertising is currently unavailable");
    expect(await findAdvertiseButton()).toBeDisabled();
    expect(await findAdvertiseButton()).toHaveAccessibleDescription("Advertising is currently unavailable");
  });

  it("is disabled for a booked phone", async () => {
    renderMyProducts([aProduct({ booked: true })]);
    const description = "A booked phone can't be advertised";
    expect(await screen.findByRole("button", { name: /^Advertise/, description })).toBeDisabled();
  });
});

describe("Delete", () => {
  const question = "Are you sure you want to delete this product?";

  it("deletes after a confirmation and shows a toast", async () => {
    const phone = aProduct({ name: "iPhone 6" });
    const { user, list } = renderMyProducts([phone]);
    on("delete", `/products/${phone._id}`, () => {
      list.pop();
      return { body: { acknowledged: true, deletedCount: 1 } };
    });
    await user.click(await screen.findByRole("button", { name: "Delete", description: "Delete iPhone 6" }));
    const dialog = screen.getByRole("alertdialog", { name: question });
    await user.click(within(dialog).getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("Deleted Successfully")).toBeVisible();
    expect(await screen.findByText("You have no phones listed")).toBeVisible();
  });

  it("gives the focus to the next row when an event removes the phone, and to the heading after the last one", async () => {
    const [first, last] = [aProduct({ name: "First" }), aProduct({ name: "Last" })];
    const { store } = renderMyProducts([first, last]);
    (await screen.findByRole("button", { name: "Delete", description: "Delete First" })).focus();
    receiveEvents(store, anEvent("me", "product.removed", { _id: first._id, version: 2 }));
    expect(await findRow("Last")).toHaveFocus();
    receiveEvents(store, anEvent("me", "product.removed", { _id: last._id, version: 2 }));
    expect(screen.getByRole("heading", { name: /^My Products/ })).toHaveFocus();
  });

  it("shows the server's message after an error", async () => {
    const phone = aProduct({ name: "iPhone 6" });
    on("delete", `/products/${phone._id}`, errorResponse(409, "A held or paid phone cannot be deleted"));
    const { user } = renderMyProducts([phone]);
    await user.click(await screen.findByRole("button", { name: "Delete", description: "Delete iPhone 6" }));
    await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("A held or paid phone cannot be deleted")).toBeVisible();
  });

  it("is disabled for a held phone, and absent for a sold one", async () => {
    renderMyProducts([
      aProduct({ name: "Held", booked: true }),
      aProduct({ name: "Sold phone", booked: true, sold: true }),
    ]);
    const description = "A booked phone can't be deleted";
    expect(within(await findRow("Held")).getByRole("button", { name: "Delete", description })).toBeDisabled();
    expect(within(await findRow("Sold phone")).queryByRole("button", { name: "Delete" })).toBeNull();
  });
});

describe("order and status", () => {
  const fourPhones = () => [
    aProduct({ name: "Middle", resalePrice: 200 }),
    aProduct({ name: "Cheap", resalePrice: 100, booked: true }),
    aProduct({ name: "Expensive", resalePrice: 300 }),
    aProduct({ name: "Sold phone", resalePrice: 250, booked: true, sold: true }),
  ];
  const tableOf = (name: string) => screen.getByRole("table", { name });
  const namesIn = (table: HTMLElement) =>
    within(table)
      .getAllByRole("link", { name: /^View page of/ })
      .map((link) => link.getAttribute("aria-label")?.slice("View page of ".length));

  it.each(["all", "refunded", "sold", "held", "available"])(
    "shows a refunded sale as refunded, not as sold, with the filter %s",
    async (show) => {
      const sale = { booked: true, sold: true, bookingId: "b1" };
      const { user } = renderMyProducts([
        aProduct({ name: "Kept", ...sale }),
        aProduct({ name: "Back", ...sale, refunded: true }),
        aProduct({ name: "Free" }),
      ]);
      await findRow("Back");
      await user.selectOptions(screen.getByLabelText("Show"), show);
      if (show === "all" || show === "refunded") {
        const row = within(await findRow("Back"));
        expect(row.getByText("Refunded")).toBeVisible();
        expect(row.queryByText("Sold")).toBeNull();
        expect(row.queryByText(/^Paid/)).toBeNull();
        expect(screen.getByRole("heading", { name: "Sold and refunded phones" })).toBeVisible();
      } else expect(screen.queryByText("Back")).toBeNull();
    },
  );

  it("shows the sold phones in a second table", async () => {
    renderMyProducts(fourPhones());
    await findRow("Sold phone");
    expect(namesIn(tableOf("My products"))).toEqual(["Expensive", "Cheap", "Middle"]);
    expect(namesIn(tableOf("Sold phones"))).toEqual(["Sold phone"]);
    expect(within(tableOf("Sold phones")).queryByRole("link", { name: "Sold phone" })).toBeNull();
  });

  it("does not move a phone that is paid for while the screen is open", async () => {
    const [middle, ...rest] = fourPhones();
    const { store, user } = renderMyProducts([middle!, ...rest]);
    await findRow("Middle");
    const paid = { ...middle!, version: 2, booked: true, sold: true };
    receiveEvents(store, anEvent("me", "product.changed", paid));
    expect(await within(await findRow("Middle")).findByText("Sold")).toBeVisible();
    expect(namesIn(tableOf("My products"))).toEqual(["Expensive", "Cheap", "Middle"]);
    await user.selectOptions(screen.getByLabelText("Sort by"), "Name");
    expect(namesIn(tableOf("My products"))).toEqual(["Cheap", "Expensive"]);
  });

  it("sorts by price and by name", async () => {
    const { user } = renderMyProducts(fourPhones());
    await findRow("Sold phone");
    await user.selectOptions(screen.getByLabelText("Sort by"), "Lowest price first");
    expect(namesIn(tableOf("My products"))).toEqual(["Cheap", "Middle", "Expensive"]);
    await user.selectOptions(screen.getByLabelText("Sort by"), "Highest price first");
    expect(namesIn(tableOf("My products"))).toEqual(["Expensive", "Middle", "Cheap"]);
    await user.selectOptions(screen.getByLabelText("Sort by"), "Name");
    expect(namesIn(tableOf("My products"))).toEqual(["Cheap", "Expensive", "Middle"]);
  });

  it("filters by status, and has a button for all phones if there is no result", async () => {
    const { user } = renderMyProducts(fourPhones().filter(({ sold }) => !sold));
    await findRow("Cheap");
    await user.selectOptions(screen.getByLabelText("Show"), "Held for a buyer");
    expect(namesIn(tableOf("My products"))).toEqual(["Cheap"]);
    await user.selectOptions(screen.getByLabelText("Show"), "Sold");
    expect(screen.getByText("No phones with this status")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Show all phones" }));
    expect(namesIn(tableOf("My products"))).toEqual(["Expensive", "Cheap", "Middle"]);
  });
});

describe("the price", () => {
  const findPriceButton = () => screen.findByRole("button", { name: "Change the price of iPhone 6" });

  it("can be changed while the phone is available", async () => {
    const phone = aProduct({ name: "iPhone 6", resalePrice: 180 });
    const { user, list } = renderMyProducts([phone]);
    on("patch", `/products/${phone._id}`, () => {
      list[0] = { ...phone, version: 2, resalePrice: 150 };
      return { body: { acknowledged: true, modifiedCount: 1 } };
    });
    await user.click(await findPriceButton());
    const field = screen.getByLabelText("Resale Price");
    await user.clear(field);
    await user.type(field, "150");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("$150")).toBeVisible();
    expect(callsTo("PATCH", `/products/${phone._id}`)[0]?.body).toEqual({ resalePrice: 150 });
  });

  it("shows the server's message in the dialog after an error", async () => {
    const phone = aProduct({ name: "iPhone 6", resalePrice: 180 });
    on("patch", `/products/${phone._id}`, errorResponse(409, "This phone has just been booked"));
    const { user } = renderMyProducts([phone]);
    await user.click(await findPriceButton());
    await user.type(screen.getByLabelText("Resale Price"), "0");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("This phone has just been booked")).toBeVisible();
    expect(screen.getByLabelText("Resale Price")).toHaveValue("1800");
  });

  it("of a booked phone can't be changed", async () => {
    renderMyProducts([aProduct({ name: "iPhone 6", booked: true })]);
    await findRow("iPhone 6");
    expect(screen.queryByRole("button", { name: /Change the price/ })).toBeNull();
  });
});
