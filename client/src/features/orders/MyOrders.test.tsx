import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aBooking, anEvent, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, onNetworkError, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import { columnHeaders, findRow } from "@/testing/tables";
import MyOrders from "./MyOrders";

startServer();

const onOrders = (...bookings: ReturnType<typeof aBooking>[]) => onList("/bookings", "me", bookings);

describe("My Orders", () => {
  it("fetches the signed-in buyer's orders and shows the spec's columns", async () => {
    const [order] = onOrders(aBooking({ productName: "Nexus 5", brand: "Google", price: 120 }));
    renderScreen(<MyOrders />, { me: karim });
    const row = await findRow("Nexus 5");
    expect(within(row).getByText("$120")).toBeVisible();
    expect(within(row).getByRole("link", { name: "Nexus 5" })).toHaveAttribute(
      "href",
      `/phone/${order!.productID}`,
    );
    expect(columnHeaders()).toEqual(["image", "Product-Name", "Brand", "Price", "Payment"]);
    expect(callsTo("GET", "/bookings")).toMatchObject([
      { url: "/bookings?email=karim%40example.com&limit=100", authorization: "Bearer test-token" },
    ]);
  });

  it("shows what is paid in all, and the postage in it", async () => {
    onOrders(
      aBooking({ productName: "Sent", price: 450, delivery: "send", postage: 12 }),
      aBooking({ productName: "Met", price: 450, sendPostage: 12 }),
    );
    renderScreen(<MyOrders />, { me: karim });
    const sent = within(await findRow("Sent"));
    expect(sent.getByText("$462")).toBeVisible();
    expect(sent.getByText("incl. $12 postage")).toBeVisible();
    const met = within(await findRow("Met"));
    expect(met.getByText("$450")).toBeVisible();
    expect(met.queryByText(/postage/)).toBeNull();
  });

  it("has Pay for a held order, and Paid with a link to its page for a paid order", async () => {
    const held = aBooking({ productName: "Held" });
    const fulfilment = { state: "waiting" } as const;
    const [, paidOrder] = onOrders(
      held,
      aBooking({ productName: "Paid phone", paid: true, status: "paid", fulfilment }),
    );
    renderScreen(<MyOrders />, { me: karim });
    const row = await findRow("Held");
    expect(within(row).getByRole("link", { name: /^Pay/ })).toHaveAttribute(
      "href",
      `/dashboard/payment/${held._id}`,
    );
    expect(within(row).getByText(/59 min left/)).toBeVisible();
    expect(within(row).getByRole("button", { name: "Cancel booking of Held" })).toHaveTextContent(
      "Cancel booking",
    );
    const paid = await findRow("Paid phone");
    expect(within(paid).getByText("Paid")).toBeVisible();
    expect(within(paid).getByRole("link", { name: "See order of Paid phone" })).toHaveAttribute(
      "href",
      `/dashboard/order/${paidOrder!._id}`,
    );
    expect(within(row).queryByRole("link", { name: /^See order/ })).toBeNull();
    expect(within(paid).queryByRole("link", { name: /^Pay/ })).toBeNull();
    expect(within(paid).queryByRole("button")).toBeNull();
  });

  it("shows the seller's contact details for paid orders only", async () => {
    const seller = {
      name: "Salma Rahman",
      email: "salma@example.com",
      phone: "+880 1711",
      location: "Dhaka",
    };
    onOrders(
      aBooking({ productName: "Held", seller }),
      aBooking({ productName: "Paid phone", paid: true, status: "paid", seller }),
    );
    const { user } = renderScreen(<MyOrders />, { me: karim });
    const row = within(await findRow("Paid phone"));
    await user.click(row.getByText("Seller's contact details"));
    expect(row.getByText("Salma Rahman")).toBeVisible();
    expect(row.getByRole("link", { name: "+880 1711" })).toHaveAttribute("href", "tel:+8801711");
    expect(row.getByRole("link", { name: "salma@example.com" })).toHaveAttribute(
      "href",
      "mailto:salma@example.com",
    );
    expect(within(await findRow("Held")).queryByText("Seller's contact details")).toBeNull();
  });

  it.each(["expired", "cancelled", "refunded"] as const)(
    "shows an order as %s, without actions",
    async (status) => {
      onOrders(aBooking({ productName: "Nexus 5", status, paid: status === "refunded" }));
      renderScreen(<MyOrders />, { me: karim });
      const row = await findRow("Nexus 5");
      expect(within(row).getByText(new RegExp(status, "i"))).toBeVisible();
      expect(within(row).queryByRole("link", { name: /^Pay/ })).toBeNull();
      expect(within(row).queryByRole("button")).toBeNull();
    },
  );

  it("shows beside Paid where the phone is", async () => {
    const paid = { paid: true, status: "paid" } as const;
    onOrders(
      aBooking({ ...paid, productName: "A", fulfilment: { state: "waiting" } }),
      aBooking({ ...paid, productName: "B", fulfilment: { state: "waiting" }, delivery: "send" }),
      aBooking({ ...paid, productName: "C", fulfilment: { state: "problem" } }),
      aBooking({ ...paid, productName: "D", fulfilment: { state: "returning" } }),
      aBooking({ ...paid, productName: "E", fulfilment: { state: "sentBack" } }),
    );
    renderScreen(<MyOrders />, { me: karim });
    for (const [name, stage] of [
      ["A", "Not handed over yet"],
      ["B", "Not sent yet"],
      ["C", "Problem reported"],
      ["D", "To return"],
      ["E", "Sent back"],
    ] as const) {
      const row = within(await findRow(name));
      expect(row.getByText("Paid")).toBeVisible();
      expect(row.getByText(stage)).toBeVisible();
    }
  });

  it("shows orders that have ended below the others; one that ends meanwhile keeps its place", async () => {
    const settled = (daysAgo: number) => ({
      paid: true,
      status: "paid" as const,
      fulfilment: {
        state: "settled" as const,
        outcome: "release" as const,
        settledAt: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
      },
    });
    const held = aBooking({ productName: "Held" });
    onOrders(
      held,
      aBooking({ ...settled(13), productName: "Just settled" }),
      aBooking({ ...settled(15), productName: "Settled" }),
      aBooking({ productName: "Expired phone", status: "expired" }),
    );
    const { store } = renderScreen(<MyOrders />, { me: karim });
    await findRow("Held");
    const namesIn = (table: string) =>
      within(screen.getByRole("table", { name: table }))
        .getAllByRole("link", { name: /Held|ettled|phone/ })
        .filter((link) => link.getAttribute("href")?.startsWith("/phone/"))
        .map(({ textContent }) => textContent);
    const expectOrder = () => {
      expect(namesIn("My orders").toSorted()).toEqual(["Held", "Just settled"]);
      expect(namesIn("Past orders").toSorted()).toEqual(["Expired phone", "Settled"]);
    };
    expectOrder();
    const expired = { ...held, version: 2, status: "expired" as const };
    receiveEvents(store, anEvent("me", "booking.changed", expired));
    expectOrder();
  });

  it("has no Pay for an order without a price", async () => {
    onOrders(aBooking({ productName: "Free", price: 0 }));
    renderScreen(<MyOrders />, { me: karim });
    expect(within(await findRow("Free")).queryByRole("link", { name: /^Pay/ })).toBeNull();
  });

  it("cancels an order after a confirmation and shows the server's status", async () => {
    const list = onOrders(aBooking({ productName: "Nexus 5" }));
    const held = list[0]!;
    on("delete", `/bookings/${held._id}`, () => {
      list[0] = { ...held, version: 2, status: "cancelled" };
      return { body: { acknowledged: true, deletedCount: 1 } };
    });
    const { user } = renderScreen(<MyOrders />, { me: karim });
    await user.click(within(await findRow("Nexus 5")).getByRole("button", { name: /^Cancel/ }));
    const dialog = screen.getByRole("alertdialog", { name: "Are you sure you want to cancel this booking?" });
    expect(callsTo("DELETE", `/bookings/${held._id}`)).toHaveLength(0);
    await user.click(within(dialog).getByRole("button", { name: "Cancel booking" }));
    expect(await screen.findByText("Booking Cancelled")).toBeVisible();
    expect(await screen.findByText("Cancelled")).toBeVisible();
  });

  it("gives the focus to the row when the event of a cancellation removes its button", async () => {
    const [held] = onOrders(aBooking({ productName: "Nexus 5" }));
    const { store } = renderScreen(<MyOrders />, { me: karim });
    const row = await findRow("Nexus 5");
    within(row)
      .getByRole("button", { name: /^Cancel/ })
      .focus();
    const cancelled = { ...held!, version: 2, status: "cancelled" as const };
    receiveEvents(store, anEvent("me", "booking.changed", cancelled));
    expect(row).toHaveFocus();
  });

  it("shows the server's message when the cancellation fails", async () => {
    const [held] = onOrders(aBooking());
    on("delete", `/bookings/${held!._id}`, errorResponse(409, "This booking is paid"));
    const { user } = renderScreen(<MyOrders />, { me: karim });
    await user.click(await screen.findByRole("button", { name: /^Cancel/ }));
    await user.click(screen.getByRole("button", { name: "Cancel booking" }));
    expect(await screen.findByText("This booking is paid")).toBeVisible();
  });

  it("has a link to the brands if there are no orders", async () => {
    onOrders();
    renderScreen(<MyOrders />, { me: karim });
    expect(await screen.findByRole("link", { name: "Browse the brands" })).toHaveAttribute(
      "href",
      "/categories",
    );
  });

  it("shows an error with a retry button", async () => {
    onNetworkError("get", "/bookings");
    const { user } = renderScreen(<MyOrders />, { me: karim });
    expect(await screen.findByRole("alert")).toHaveTextContent("can't be reached");
    onOrders(aBooking({ productName: "Nexus 5" }));
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await findRow("Nexus 5")).toBeVisible();
  });

  it("logs out on a 401", async () => {
    on("get", "/bookings", errorResponse(401, "Please log in again"));
    on("post", "/identity/sign-out", { status: 200 });
    const { store } = renderScreen(<MyOrders />, { me: karim });
    await waitFor(() => expect(store.getState().session.accessToken).toBeNull());
    expect(localStorage.getItem("accessToken")).toBeNull();
    await waitFor(() => expect(callsTo("POST", "/identity/sign-out")).toHaveLength(1));
  });

  it("shows a new status when an event arrives", async () => {
    const [held] = onOrders(aBooking({ productName: "Nexus 5" }));
    const { store } = renderScreen(<MyOrders />, { me: karim });
    await findRow("Nexus 5");
    const expired = { ...held!, version: 2, status: "expired" as const };
    receiveEvents(store, anEvent("me", "booking.changed", expired));
    expect(screen.getByText("Expired")).toBeVisible();
    expect(screen.queryByRole("link", { name: /^Pay/ })).toBeNull();
  });

  it("loads further pages by Load more", async () => {
    onOrders(...Array.from({ length: 103 }, (_, n) => aBooking({ productName: `Phone ${n}` })));
    const { user } = renderScreen(<MyOrders />, { me: karim });
    expect(await screen.findByText("Showing 100 of 103")).toBeVisible();
    expect(screen.queryByText("Phone 0")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Load more" }));
    expect(await screen.findByText("Phone 0")).toBeVisible();
    expect(screen.getAllByRole("row")).toHaveLength(104);
  });
});
