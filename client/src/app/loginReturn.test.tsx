import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Product, SignedInUser } from "@/api/types";
import { onPublicCalls, onSession, renderApp } from "@/testing/app";
import { createDeferred } from "@/testing/deferred";
import { aProduct, apple, karim, salma } from "@/testing/factories";
import { callsTo, errorResponse, type MockResponse, on, onList, onRole, startServer } from "@/testing/server";

// Loads the large screens in advance, so that no test waits for it.
import "./routes/PhoneRoute";
import "./routes/SearchRoute";
import "./routes/SignInRoute";

startServer();

/** Renders the client for a visitor at a path; the fake server has the phone. */
function renderForVisitor(at: string, phone?: Product) {
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

async function logIn(user: User, account: SignedInUser, role: "admin" | "buyer" | "seller") {
  onRole(account.email, role);
  on("post", "/identity/sign-in", { body: { ...account } });
  await user.type(await screen.findByLabelText("Email"), account.email);
  await user.type(screen.getByLabelText("Password"), "secret1{Enter}");
}

const press = async (user: User, name: string) => user.click(await screen.findByRole("button", { name }));

test("the login and the sign-up name the phone, and the booking dialog opens after the login", async () => {
  const phone = aProduct();
  const { user } = renderForVisitor(`/phone/${phone._id}`, phone);
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
  // The focus returns as if the button had been pressed after the login.
  expect(screen.getByRole("button", { name: "Book Now" })).toHaveFocus();
});

test("Report To Admin leads a visitor to the login, and then to the report dialog of the phone", async () => {
  const phone = aProduct();
  const { user } = renderForVisitor(`/phone/${phone._id}`, phone);
  await press(user, "Report To Admin");
  expect(await screen.findByText("Log in to report iPhone 6")).toBeVisible();
  await logIn(user, karim, "buyer");
  expect(await screen.findByRole("dialog", { name: "Report iPhone 6" })).toBeVisible();
});

test("after the login the search is shown again, with the dialog of the chosen phone", async () => {
  const phone = aProduct();
  onList("/products/search", null, [phone]);
  const { user } = renderForVisitor("/search?q=iphone", phone);
  await press(user, "Book Now");
  await logIn(user, karim, "buyer");
  expect(await screen.findByRole("dialog", { name: "Book iPhone 6" })).toBeVisible();
  expect(screen.getByRole("searchbox", { name: "Search words" })).toHaveValue("iphone");
});

test.each([
  [
    "another buyer has booked the phone meanwhile",
    { booked: true },
    karim,
    "buyer",
    "This phone is already booked.",
  ],
  ["the account is an admin's", {}, salma, "admin", "Admins cannot book phones"],
] as const)("no dialog opens when %s", async (_, change, account, role, message) => {
  const phone = aProduct({ email: "another@example.com" });
  const { user } = renderForVisitor(`/phone/${phone._id}`, phone);
  await press(user, "Book Now");
  on("get", `/products/${phone._id}`, { body: { ...phone, ...change } });
  await logIn(user, account, role);
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("Join waitlist leads a visitor to the login, and from there to the dialog of the waitlist", async () => {
  const phone = aProduct({ booked: true });
  const { user } = renderForVisitor(`/phone/${phone._id}`, phone);
  await press(user, "Join waitlist");
  expect(await screen.findByText("Log in to wait for iPhone 6")).toBeVisible();
  await logIn(user, karim, "buyer");
  expect(await screen.findByRole("dialog", { name: "Wait for iPhone 6" })).toBeVisible();
});

test("no dialog opens for a phone that was removed", async () => {
  const phone = aProduct();
  const { user } = renderForVisitor(`/phone/${phone._id}`, phone);
  await press(user, "Book Now");
  on("get", `/products/${phone._id}`, errorResponse(404, "There is no such phone"));
  await logIn(user, karim, "buyer");
  expect(await screen.findByText("This phone is no longer for sale.")).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("the dialog in a URL is opened neither for a visitor nor after the login", async () => {
  const { phone: _, email: __, location: ___, ...phone } = aProduct();
  const { user } = renderForVisitor(`/phone/${phone._id}?book=${phone._id}`, phone as Product);
  await user.click(await screen.findByRole("link", { name: /^Log in to see phone/ }));
  expect(await screen.findByText("Log in to see the seller's contact details")).toBeVisible();
  await logIn(user, karim, "buyer");
  await waitFor(() => expect(callsTo("GET", "/bookings")).toHaveLength(1));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("the login shows the brand's name once it is loaded, in a line whose height is reserved", async () => {
  const response = createDeferred<MockResponse>();
  renderForVisitor(`/category/${apple._id}`);
  on("get", "/allCategories", () => response.promise);
  await screen.findByLabelText("Email");
  await waitFor(() => expect(callsTo("GET", "/allCategories")).toHaveLength(1));
  const reason = screen.getByRole("heading", { name: "Login" }).nextElementSibling;
  expect(reason).toBeEmptyDOMElement();
  response.resolve({ body: [{ ...apple }] });
  await waitFor(() => expect(reason).toHaveTextContent("Log in to see Apple phones"));
});

test("a failed Google sign-in keeps the reason for the login", async () => {
  const phone = aProduct();
  const from = `/phone/${phone._id}?book=${phone._id}`;
  const { user } = renderForVisitor(`/login?error=google_denied&returnTo=${encodeURIComponent(from)}`, phone);
  expect(await screen.findByText("Log in to book this phone")).toBeVisible();
  await logIn(user, karim, "buyer");
  expect(await screen.findByRole("dialog", { name: "Book iPhone 6" })).toBeVisible();
});

test.each([
  ["/category/unknown", "Log in to see the phones of this brand"],
  ["/dashboard", "Log in to see your dashboard"],
  ["/dashboard/payment/5", "Log in to pay for your booking"],
  ["/dashboard/earnings", "Log in to see your earnings"],
  ["/dashboard/myProducts/5", "Log in to edit your phone"],
  ["/dashboard/account", "Log in to see your account"],
])("the login shows why %s requires it", async (at, reason) => {
  renderForVisitor(at);
  expect(await screen.findByText(reason)).toBeVisible();
});

test("a login that was opened directly shows no reason", async () => {
  renderForVisitor("/login");
  await screen.findByLabelText("Email");
  expect(screen.queryByText(/^Log in to /)).toBeNull();
});
