import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { onPublic, onSession, renderApp, signedIn } from "@/testing/app";
import { expectComplaint } from "@/testing/complaints";
import { aProduct, karim } from "@/testing/factories";
import { callsTo, on, onList, refusal, startServer } from "@/testing/server";

startServer();

test("the navigation bar of a visitor", async () => {
  onPublic();
  onSession(null);
  renderApp("/blog");
  expect(await screen.findByText("Coming Soon...")).toBeVisible();
  const bar = within(screen.getByRole("navigation", { name: "Main" }));
  await bar.findByRole("link", { name: "Login" });
  const links = bar.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
  expect(links).toEqual([
    ["Home", "/"],
    ["Categories", "/categories"],
    ["Blog", "/blog"],
    ["Contact Us", "/contact"],
    ["Login", "/login"],
    ["Sign Up", "/signUp"],
  ]);
});

test("the navigation bar of a signed-in user has the dashboard, their picture and SignOut", async () => {
  signedIn({ ...karim, photoURL: "/me.png" }, "buyer");
  renderApp("/blog");
  const bar = within(screen.getByRole("navigation", { name: "Main" }));
  expect(await bar.findByRole("button", { name: "SignOut" })).toBeVisible();
  expect(bar.getByRole("img", { name: karim.displayName })).toHaveAttribute("src", "/me.png");
  expect(bar.getByRole("link", { name: "Dashboard" })).toHaveAttribute("href", "/dashboard");
  expect(bar.queryByRole("link", { name: "Login" })).toBeNull();
});

test("the footer", () => {
  onPublic();
  onSession(null);
  renderApp("/blog");
  const footer = within(screen.getByRole("contentinfo"));
  footer.getByText("Copyright 2022 - All right reserved by SecondRing");
  footer.getByText("Sell and Buy Used Phones");
  const words = footer.getAllByRole("listitem").map((item) => item.textContent);
  expect(words.slice(0, 4)).toEqual(["Selling", "Buying", "Marketing", "Advertisement"]);
  expect(footer.queryByRole("link", { name: "Selling" })).toBeNull();
});

test.each(["buyer", "seller", "admin"] as const)("the payment of a booking is open to a %s", async (role) => {
  signedIn(karim, role);
  on("get", "/booking/b1", refusal(403, "This is another buyer's booking"));
  renderApp("/dashboard/payment/b1");
  expect(await screen.findByText("This is another buyer's booking")).toBeVisible();
  expect(document.title).toBe("Payment · SecondRing");
});

describe("a phone's page", () => {
  const phone = aProduct({ name: "iPhone 6", booked: true });
  function open(role: "buyer" | "admin") {
    signedIn(karim, role);
    on("get", `/products/${phone._id}`, { body: { ...phone } });
    onList(`/categories/${phone.id}`, `brand:${phone.id}`, []);
    onList("/bookings", "me", []);
    return renderApp(`/phone/${phone._id}`);
  }

  test("lets an admin remove the phone, on hold or not", async () => {
    const { user } = open("admin");
    await user.click(await screen.findByRole("button", { name: "Remove phone" }));
    const dialog = screen.getByRole("alertdialog", { name: "Are you sure you want to remove this phone?" });
    on("delete", `/products/${phone._id}`, { body: { acknowledged: true, deletedCount: 1 } });
    on("get", `/products/${phone._id}`, refusal(404, "There is no such phone"));
    await user.click(within(dialog).getByRole("button", { name: "Remove phone" }));
    expect(await screen.findByText("Phone Removed Successfully")).toBeVisible();
    expect(await screen.findByText("No longer for sale")).toBeVisible();
  });

  test("does not let others remove it", async () => {
    open("buyer");
    expect(await screen.findByText("Booked")).toBeVisible();
    await waitFor(() =>
      expect(callsTo("GET", `/users/buyer/${encodeURIComponent(karim.email)}`)).toHaveLength(1),
    );
    expect(screen.queryByRole("button", { name: "Remove phone" })).toBeNull();
  });
});

test("any other path is not found", async () => {
  signedIn(karim, "buyer");
  renderApp("/no/such/path");
  expect(await screen.findByText("The route you are searching is not available!!!")).toBeVisible();
  expect(screen.getByText("Please try for a valid route!!!")).toBeVisible();
  expect(document.title).toBe("Not found · SecondRing");
});

test("a screen that fails shows the route error page, and its SignOut leads to the login", async () => {
  signedIn(karim, "buyer");
  // An answer no server of ours gives: it makes the screen itself fail.
  on("get", "/allCategories", { body: { not: "a list" } });
  const { user } = renderApp("/categories");
  expect(await screen.findByRole("heading", { name: "Something went wrong" })).toBeVisible();
  expect(screen.getByText(/is not a function/)).toBeVisible();
  const page = within(screen.getByRole("main"));
  await user.click(page.getByRole("button", { name: "SignOut" }));
  expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
  expectComplaint(/BrandGrid.*ErrorBoundary/s);
});

test("another screen gets the focus and the title, so that a screen reader announces it", async () => {
  onPublic();
  onSession(null);
  const { user } = renderApp("/blog");
  await user.click(screen.getAllByRole("link", { name: "Contact Us" })[0] as HTMLElement);
  expect(await screen.findByRole("heading", { name: "Contact Us" })).toBeVisible();
  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
  expect(document.title).toBe("Contact Us · SecondRing");
});

test("the contact form opens the reader's mail program with the message", async () => {
  onPublic();
  onSession(null);
  const open = vi.spyOn(window, "open").mockReturnValue(null);
  const { user } = renderApp("/contact");
  expect(await screen.findByRole("heading", { name: "Contact Us" })).toBeVisible();
  expect(screen.getByText(/Send opens your email app/)).toBeVisible();
  await user.type(screen.getByLabelText("Name"), "Karim & Sons");
  await user.type(screen.getByLabelText("Message"), "Is it new?{Enter}+1");
  await user.click(screen.getByRole("button", { name: "Send" }));
  const [url, target] = open.mock.calls[0] ?? [];
  expect(target).toBe("_self");
  const { pathname, searchParams, search } = new URL(String(url));
  expect(pathname).toBe("hello@example.com");
  expect(search).not.toContain("+");
  expect(searchParams.get("subject")).toBe("Message from Karim & Sons");
  expect(searchParams.get("body")).toBe("Is it new?\n+1\n\nKarim & Sons");
  const note = screen.getByText(/Your email app should have opened/);
  expect(within(note).getByRole("link")).toHaveAttribute("href", "mailto:hello@example.com");
});
