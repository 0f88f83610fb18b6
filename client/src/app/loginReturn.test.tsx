import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Product, SignedInUser } from "@/api/types";
import { onPublicCalls, onSession, renderApp } from "@/testing/app";
import { aProduct, apple, karim, salma } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, onRole, startServer } from "@/testing/server";

// Loaded here, so that no test waits for the first load of a large screen.
import "./routes/PhoneRoute";
import "./routes/SearchRoute";
import "./routes/SignInRoute";

startServer();

/** Renders the client for a visitor at an address; the fake server has the phone. */
function visit(at: string, phone?: Product) {
  onPublicCalls();
  onSession(null);
  onList("/bookings", "me", []);
  if (phone) {
    on("get", `/products/${phone._id}`, { body: { ...phone } });
    onList(`/categories/${phone.id}`, `brand:${phone.id}`, [phone]);
  }
  return renderApp(at);
}

type User = ReturnType<typeof renderApp>["user"];

async function logIn(user: User, who: SignedInUser, role: "admin" | "buyer" | "seller") {
  onRole(who.email, role);
  on("post", "/identity/sign-in", { body: { ...who } });
  await user.type(await screen.findByLabelText("Email"), who.email);
  await user.type(screen.getByLabelText("Password"), "secret1{Enter}");
}

const press = async (user: User, name: string) => user.click(await screen.findByRole("button", { name }));

test("the login and the sign-up say which phone it is for, and the booking dialog opens after them", async () => {
  const phone = aProduct();
  const { user } = visit(`/phone/${phone._id}`, phone);
  await press(user, "Book Now");
  expect(await screen.findByText("Log in to book iPhone 6")).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Create an account" }));
  expect(await screen.findByText("Sign up to book iPhone 6")).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Log in" }));
  expect(await screen.findByText("Log in to book iPhone 6")).toBeVisible();
  await logIn(user, karim, "buyer");
  expect(await screen.findByRole("dialog", { name: "Book iPhone 6" })).toBeVisible();
  await press(user, "Close");
  expect(screen.queryByRole("dialog")).toBeNull();
  // As if it had been pressed here.
  expect(screen.getByRole("button", { name: "Book Now" })).toHaveFocus();
});

test("Report To Admin leads to the report of that phone", async () => {
  const phone = aProduct();
  const { user } = visit(`/phone/${phone._id}`, phone);
  await press(user, "Report To Admin");
  expect(await screen.findByText("Log in to report iPhone 6")).toBeVisible();
  await logIn(user, karim, "buyer");
  expect(await screen.findByRole("dialog", { name: "Report iPhone 6" })).toBeVisible();
});

test("a search is the same after the login, with the dialog of the phone that was chosen in it", async () => {
  const phone = aProduct();
  onList("/products/search", null, [phone]);
  const { user } = visit("/search?q=iphone", phone);
  await press(user, "Book Now");
  await logIn(user, karim, "buyer");
  expect(await screen.findByRole("dialog", { name: "Book iPhone 6" })).toBeVisible();
  expect(screen.getByRole("searchbox", { name: "Search words" })).toHaveValue("iphone");
});

test.each([
  ["somebody has booked it meanwhile", { booked: true }, karim, "buyer", "This phone is already booked."],
  ["they turn out to be a seller", {}, salma, "seller", "Only buyers can book phones"],
] as const)("no dialog opens when %s", async (_, change, who, role, words) => {
  const phone = aProduct({ email: "another@example.com" });
  const { user } = visit(`/phone/${phone._id}`, phone);
  await press(user, "Book Now");
  on("get", `/products/${phone._id}`, { body: { ...phone, ...change } });
  await logIn(user, who, role);
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("Wait for it leads a visitor to the login, and from there to the dialog of the waitlist", async () => {
  const phone = aProduct({ booked: true });
  const { user } = visit(`/phone/${phone._id}`, phone);
  await press(user, "Wait for it");
  expect(await screen.findByText("Log in to wait for iPhone 6")).toBeVisible();
  await logIn(user, karim, "buyer");
  expect(await screen.findByRole("dialog", { name: "Wait for iPhone 6" })).toBeVisible();
});

test("no dialog opens for a phone that was removed", async () => {
  const phone = aProduct();
  const { user } = visit(`/phone/${phone._id}`, phone);
  await press(user, "Book Now");
  on("get", `/products/${phone._id}`, errorResponse(404, "There is no such phone"));
  await logIn(user, karim, "buyer");
  expect(await screen.findByText("This phone is no longer for sale.")).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a URL with a dialog opens none for a visitor, not even after the login", async () => {
  const { phone: _, email: __, location: ___, ...phone } = aProduct();
  const { user } = visit(`/phone/${phone._id}?book=${phone._id}`, phone as Product);
  await user.click(await screen.findByRole("link", { name: /^Log in to see phone/ }));
  expect(await screen.findByText("Log in to see the seller's contact details")).toBeVisible();
  await logIn(user, karim, "buyer");
  await waitFor(() => expect(callsTo("GET", "/bookings")).toHaveLength(1));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("the login names the brand once it is loaded, in a line whose height is reserved", async () => {
  let answer: () => void = () => undefined;
  visit(`/category/${apple._id}`);
  on("get", "/allCategories", () => new Promise((done) => (answer = () => done({ body: [{ ...apple }] }))));
  await screen.findByLabelText("Email");
  await waitFor(() => expect(callsTo("GET", "/allCategories")).toHaveLength(1));
  const line = screen.getByRole("heading", { name: "Login" }).nextElementSibling;
  expect(line).toBeEmptyDOMElement();
  answer();
  await waitFor(() => expect(line).toHaveTextContent("Log in to see Apple phones"));
});

test("a failed Google sign-in keeps the reason for the login", async () => {
  const phone = aProduct();
  const from = `/phone/${phone._id}?book=${phone._id}`;
  const { user } = visit(`/login?error=google_denied&returnTo=${encodeURIComponent(from)}`, phone);
  expect(await screen.findByText("Log in to book this phone")).toBeVisible();
  await logIn(user, karim, "buyer");
  expect(await screen.findByRole("dialog", { name: "Book iPhone 6" })).toBeVisible();
});

test.each([
  ["/category/nowhere", "Log in to see the phones of this brand"],
  ["/dashboard", "Log in to see your dashboard"],
  ["/dashboard/payment/5", "Log in to pay for your booking"],
  ["/dashboard/earnings", "Log in to see your earnings"],
  ["/dashboard/myProducts/5", "Log in to edit your phone"],
  ["/dashboard/account", "Log in to see your account"],
])("the login says why a visitor of %s is there", async (at, words) => {
  visit(at);
  expect(await screen.findByText(words)).toBeVisible();
});

test("a login that was opened directly shows no reason", async () => {
  visit("/login");
  await screen.findByLabelText("Email");
  expect(screen.queryByText(/^Log in to /)).toBeNull();
});
