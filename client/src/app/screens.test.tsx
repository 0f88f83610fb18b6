import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { onPublicCalls, onSession, onSignedInUser, renderApp } from "@/testing/app";
import { expectConsoleOutput } from "@/testing/consoleOutput";
import { aBooking, aProduct, apple, karim } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, onRole, startServer } from "@/testing/server";
import { titleOf } from "./titles";

startServer();

test("the navigation bar has Login and Sign Up for a visitor", async () => {
  onPublicCalls();
  onSession(null);
  renderApp("/blog");
  expect(await screen.findByText("Coming Soon...")).toBeVisible();
  const nav = within(screen.getByRole("navigation", { name: "Main" }));
  await nav.findByRole("link", { name: "Login" });
  const links = nav.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
  expect(links).toEqual([
    ["Home", "/"],
    ["Categories", "/categories"],
    ["Blog", "/blog"],
    ["Contact Us", "/contact"],
    ["Login", "/login"],
    ["Sign Up", "/signUp"],
  ]);
});

test("the navigation bar has Dashboard, the picture and SignOut for a signed-in user", async () => {
  onSignedInUser({ ...karim, photoURL: "/me.png" }, "buyer");
  renderApp("/blog");
  const nav = within(screen.getByRole("navigation", { name: "Main" }));
  expect(await nav.findByRole("button", { name: "SignOut" })).toBeVisible();
  expect(await nav.findByRole("img", { name: karim.displayName })).toHaveAttribute("src", "/me.png");
  expect(nav.getByRole("link", { name: "Dashboard" })).toHaveAttribute("href", "/dashboard");
  expect(nav.queryByRole("link", { name: "Login" })).toBeNull();
});

test.each([
  ["buyer", ["My Orders", "Messages", "Start selling", "Watching", "Your account"]],
  [
    "seller",
    ["Add A Product", "My Products", "Earnings", "Messages", "My Orders", "Watching", "Your account"],
  ],
  [
    "admin",
    [
      "Orders",
      "Cases",
      "Reported Items",
      "All Sellers",
      "All Buyers",
      "Audit Trail",
      "Watching",
      "Your account",
    ],
  ],
] as const)("the account menu of a %s leads to their screens", async (role, entries) => {
  onSignedInUser(karim, role);
  const { user } = renderApp("/blog");
  const button = await screen.findByRole("button", { name: "Account menu of Karim Uddin" });
  expect(button).toHaveAttribute("aria-expanded", "false");
  await user.click(button);
  expect(button).toHaveAttribute("aria-expanded", "true");
  const menu = within(await screen.findByRole("list", { name: "Your account" }));
  expect(menu.getAllByRole("link").map((link) => link.textContent)).toEqual(entries);
  await user.click(document.body);
  expect(button).toHaveAttribute("aria-expanded", "false");
  expect(screen.queryByRole("list", { name: "Your account" })).toBeNull();
});

test("the account menu is used with the keyboard", async () => {
  onSignedInUser(karim, "seller");
  onList("/products", "me", []);
  const { user } = renderApp("/blog");
  const button = await screen.findByRole("button", { name: "Account menu of Karim Uddin" });
  act(() => button.focus());
  await waitFor(() => expect(document.querySelectorAll("#account-menu a")).toHaveLength(7));
  const link = (name: string) => screen.getByRole("link", { name });
  await user.keyboard("{ArrowDown}");
  expect(link("Add A Product")).toHaveFocus();
  await user.keyboard("{ArrowUp}");
  expect(link("Your account")).toHaveFocus();
  await user.keyboard("{Escape}");
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute("aria-expanded", "false");
  await user.keyboard("{Enter}{Tab}{ArrowDown}{Enter}");
  expect(await screen.findByRole("heading", { name: /^My Products/ })).toBeVisible();
  expect(button).toHaveAttribute("aria-expanded", "false");
});

test("the footer has the copyright and the services", () => {
  onPublicCalls();
  onSession(null);
  renderApp("/blog");
  const footer = within(screen.getByRole("contentinfo"));
  footer.getByText("Copyright 2022 - All right reserved by SecondRing");
  footer.getByText("Sell and Buy Used Phones");
  const texts = footer.getAllByRole("listitem").map((item) => item.textContent);
  expect(texts.slice(0, 4)).toEqual(["Selling", "Buying", "Marketing", "Advertisement"]);
  expect(footer.queryByRole("link", { name: "Selling" })).toBeNull();
});

test("on a screen with a task the footer is the copyright and four links", async () => {
  onPublicCalls();
  onSession(null);
  renderApp("/login");
  const footer = within(screen.getByRole("contentinfo"));
  expect(footer.getByText("Copyright 2022 - All right reserved by SecondRing")).toBeVisible();
  const paths = footer.getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(paths).toEqual(["/", "/categories", "/blog", "/contact"]);
  expect(footer.queryByText("Sell and Buy Used Phones")).toBeNull();
});

test("a toast ends when the person goes to another screen, not when its own action leads there", async () => {
  onPublicCalls();
  onSession(null);
  on("post", "/identity/sign-in", { body: { ...karim } });
  onRole(karim.email, "buyer");
  const { user } = renderApp("/login");
  await user.type(await screen.findByLabelText("Email"), karim.email);
  await user.type(screen.getByLabelText("Password"), "correct horse{Enter}");
  await screen.findByRole("heading", { level: 1, name: /used mobile phone/ });
  expect(screen.getByText("SignIn Successful")).toBeVisible();
  await user.click(within(screen.getByRole("contentinfo")).getByRole("link", { name: "Blog" }));
  await screen.findByText("Coming Soon...");
  expect(screen.queryByText("SignIn Successful")).toBeNull();
});

describe("Sell your phone", () => {
  test("leads a visitor to the sign-up with Seller chosen", async () => {
    onPublicCalls();
    onSession(null);
    const { user } = renderApp("/");
    await user.click(await within(screen.getByRole("main")).findByRole("link", { name: "Sell your phone" }));
    expect(await screen.findByText("Sign up to add a product")).toBeVisible();
    expect(screen.getByRole("radio", { name: "Seller: I want to sell, and buy" })).toBeChecked();
  });

  test("leads a buyer to the one step that makes them a seller", async () => {
    onSignedInUser(karim, "buyer");
    const { user } = renderApp("/");
    await user.click(await within(screen.getByRole("main")).findByRole("link", { name: "Sell your phone" }));
    expect(await screen.findByRole("button", { name: "Start selling" })).toBeVisible();
  });

  test("leads a seller to Add A Product, and is not shown to an admin", async () => {
    onSignedInUser(karim, "seller");
    const { unmount } = renderApp("/");
    const main = within(screen.getByRole("main"));
    expect(await main.findByRole("link", { name: "Add a product" })).toHaveAttribute(
      "href",
      "/dashboard/addProduct",
    );
    unmount();
    onSignedInUser(karim, "admin");
    renderApp("/");
    await screen.findByRole("heading", { name: "Contact Us" });
    await waitFor(() => expect(screen.queryByText("Got a phone you no longer use?")).toBeNull());
  });
});

test.each(["buyer", "seller", "admin"] as const)("a %s can open the payment screen", async (role) => {
  onSignedInUser(karim, role);
  on("get", "/booking/b1", errorResponse(403, "This is another buyer's booking"));
  renderApp("/dashboard/payment/b1");
  expect(await screen.findByText("This is another buyer's booking")).toBeVisible();
  expect(document.title).toBe("Payment · SecondRing");
});

describe("a phone's page", () => {
  const phone = aProduct({ name: "iPhone 6", booked: true });
  function renderPhone(role: "buyer" | "admin") {
    onSignedInUser(karim, role);
    on("get", `/products/${phone._id}`, { body: { ...phone } });
    onList(`/categories/${phone.id}`, `brand:${phone.id}`, []);
    onList("/bookings", "me", []);
    return renderApp(`/phone/${phone._id}`);
  }

  test("lets an admin remove the phone, also during a hold", async () => {
    const { user } = renderPhone("admin");
    await user.click(await screen.findByRole("button", { name: "Remove phone" }));
    const dialog = screen.getByRole("alertdialog", { name: "Are you sure you want to remove this phone?" });
    on("delete", `/products/${phone._id}`, { body: { acknowledged: true, deletedCount: 1 } });
    on("get", `/products/${phone._id}`, errorResponse(404, "There is no such phone"));
    await user.click(within(dialog).getByRole("button", { name: "Remove phone" }));
    expect(await screen.findByText("Phone Removed Successfully")).toBeVisible();
    expect(await screen.findByText("No longer for sale")).toBeVisible();
  });

  test("does not let a buyer remove the phone", async () => {
    renderPhone("buyer");
    expect(await screen.findByText("Booked")).toBeVisible();
    await waitFor(() =>
      expect(callsTo("GET", `/users/buyer/${encodeURIComponent(karim.email)}`)).toHaveLength(1),
    );
    expect(screen.queryByRole("button", { name: "Remove phone" })).toBeNull();
  });
});

test("an unknown path shows the not-found page", async () => {
  onSignedInUser(karim, "buyer");
  renderApp("/no/such/path");
  expect(await screen.findByText("The route you are searching is not available!!!")).toBeVisible();
  expect(screen.getByText("Please try for a valid route!!!")).toBeVisible();
  expect(document.title).toBe("Not found · SecondRing");
});

test("a screen that throws an error shows the error page, whose SignOut leads to the login", async () => {
  onSignedInUser(karim, "buyer");
  // A response that our server never sends: the screen throws an error.
  on("get", "/allCategories", { body: { not: "a list" } });
  const { user } = renderApp("/categories");
  expect(await screen.findByRole("heading", { name: "Something went wrong" })).toBeVisible();
  expect(screen.getByText(/is not a function/)).toBeVisible();
  expect(document.title).toBe("Something went wrong · SecondRing");
  const page = within(screen.getByRole("main"));
  await user.click(page.getByRole("button", { name: "SignOut" }));
  expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
  expectConsoleOutput(/BrandGrid.*ErrorBoundary/s);
});

test("the title has the name of the screen and of the shown brand, phone or search", async () => {
  const phone = aProduct({ name: "iPhone 6" });
  onSignedInUser(karim, "buyer");
  on("get", "/allCategories", { body: [{ ...apple }] });
  onList(`/categories/${apple._id}`, `brand:${apple._id}`, [phone]);
  onList("/products/search", null, []);
  onList("/bookings", "me", []);
  on("get", `/products/${phone._id}`, { body: { ...phone } });
  const { user } = renderApp(`/category/${apple._id}`);
  await waitFor(() => expect(document.title).toBe("Apple phones · SecondRing"));
  await user.click(await screen.findByRole("link", { name: "iPhone 6" }));
  await waitFor(() => expect(document.title).toBe("iPhone 6 for $180 · SecondRing"));
  const breadcrumb = within(screen.getByRole("navigation", { name: "Breadcrumb" }));
  expect(breadcrumb.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "Home›",
    "Categories›",
    "Apple›",
    "iPhone 6",
  ]);
  expect(breadcrumb.getByText("iPhone 6")).toHaveAttribute("aria-current", "page");
  await user.click(breadcrumb.getByRole("link", { name: "Apple" }));
  await waitFor(() => expect(document.title).toBe("Apple phones · SecondRing"));
  await user.type(screen.getByRole("searchbox", { name: "Search all phones" }), "red fox{Enter}");
  await waitFor(() => expect(document.title).toBe('Search: "red fox" · SecondRing'));
  await user.clear(await screen.findByRole("searchbox", { name: "Search words" }));
  await waitFor(() => expect(document.title).toBe("Find a phone · SecondRing"));
});

test.each([
  ["/", "SecondRing: Sell and Buy Used Phones"],
  ["/dashboard/earnings", "Earnings · SecondRing"],
  ["/dashboard/auditTrail", "Audit Trail · SecondRing"],
  ["/dashboard/orders", "Orders · SecondRing"],
  ["/dashboard/account/", "Your account · SecondRing"],
  ["/dashboard/payment/7", "Payment · SecondRing"],
  ["/phone/7", "Phone · SecondRing"],
  ["/signup", "Sign Up · SecondRing"],
  ["/LOGIN/", "Login · SecondRing"],
  ["//blog//", "Blog · SecondRing"],
  ["/Dashboard/MYORDERS/", "My Orders · SecondRing"],
  ["/phone/7/", "Phone · SecondRing"],
  ["//", "SecondRing: Sell and Buy Used Phones"],
  ["/dashboard/none", "Not found · SecondRing"],
  ["/phone", "Not found · SecondRing"],
])("the title of %s is %s", (path, title) => {
  expect(titleOf(path)).toBe(title);
});

test("navigation moves the focus to the new screen and sets its title", async () => {
  onPublicCalls();
  onSession(null);
  const { user } = renderApp("/blog");
  await user.click(screen.getAllByRole("link", { name: "Contact Us" })[0] as HTMLElement);
  expect(await screen.findByRole("heading", { name: "Contact Us" })).toBeVisible();
  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
  expect(document.title).toBe("Contact Us · SecondRing");
});

test.each(["/blog", "/contact", "/categories"])("a buyer sees on %s that it is their turn", async (path) => {
  onSignedInUser(karim, "buyer");
  onList("/bookings", "me", [aBooking({ productName: "Pixel 6", turn: true })]);
  renderApp(path);
  expect(await screen.findByRole("region", { name: "It's your turn" })).toHaveTextContent("Pixel 6");
});

test("the contact form opens the email app with the message", async () => {
  onPublicCalls();
  onSession(null);
  const open = vi.spyOn(window, "open").mockReturnValue(null);
  const { user } = renderApp("/contact");
  expect(await screen.findByRole("heading", { name: "Contact Us" })).toBeVisible();
  expect(await screen.findByText(/Send opens your email app/)).toBeVisible();
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
  const notice = screen.getByText(/Your email app should have opened/).parentElement;
  expect(within(notice as HTMLElement).getByRole("link")).toHaveAttribute("href", "mailto:hello@example.com");
});
