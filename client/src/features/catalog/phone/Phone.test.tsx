import { act, cleanup, screen, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { useRole } from "@/api/role";
import type { Product, SignedInUser } from "@/api/types";
import type { LiveEvent } from "@/lib/live";
import { anEvent, aProduct, apple, karim, salma } from "@/testing/factories";
import { callsTo, errorResponse, on, onList, onRole, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import Phone from "./Phone";

startServer();

const topic = `brand:${apple._id}`;

/** Sets the response for one phone. */
function onPhone(product: Product) {
  const headers = { "Live-Position": `${topic}=e1-1` };
  on("get", `/products/${product._id}`, { body: { ...product }, headers });
}

function renderPhone(id: string, me: SignedInUser | null = karim) {
  const screens = (
    <Routes>
      <Route path="/phone/:id" element={<Phone id={id} />} />
      <Route path="/login" element={<p>login</p>} />
    </Routes>
  );
  return renderScreen(screens, { me, at: `/phone/${id}` });
}

/** Renders the phone's page for a buyer, with these other phones of its brand. */
async function renderLoadedPhone(product: Product, others: Product[] = []) {
  onPhone(product);
  onList(`/categories/${apple._id}`, topic, [product, ...others]);
  const view = renderPhone(product._id);
  await screen.findByRole("heading", { level: 1, name: product.name });
  await screen.findByRole("heading", { name: "More from Apple" });
  return view;
}

const photos = [1, 2, 3].map((n) => ({ url: `/images/${n}.jpg`, alt: n === 2 ? "The back" : "" }));

test("an admin has no Report To Admin button", async () => {
  const product = aProduct();
  onPhone(product);
  onList(`/categories/${apple._id}`, topic, [product]);
  onRole(karim.email, "admin");
  const PhoneWithRole = () => {
    useRole(); // The route calls it too.
    return <Phone id={product._id} />;
  };
  renderScreen(<PhoneWithRole />, { me: karim });
  await screen.findByText("Available. Admins cannot book phones.");
  expect(screen.queryByRole("button", { name: "Report To Admin" })).toBeNull();
  cleanup();
  await renderLoadedPhone(product);
  expect(screen.getByRole("button", { name: "Report To Admin" })).toBeVisible();
});

test("the page shows every field of the phone, and sets its title", async () => {
  await renderLoadedPhone(aProduct({ colour: "Midnight", postage: 12 }));
  const phone = screen.getByRole("article", { name: "iPhone 6" });
  for (const text of [
    "Apple",
    "$180",
    "$649",
    "Save 72%",
    "ColourMidnight",
    "Good",
    "2 years",
    "2 Nov 2026",
    "DeliveryMeet in person, or sent for $12",
    "Battery at 91 %, no scratches",
    "Salma Rahman",
    "Verified",
    "Checked by SecondRing",
    "Dhaka",
  ]) {
    expect(phone).toHaveTextContent(text);
  }
  expect(within(phone).getByRole("link", { name: "+880 1711 000000" })).toHaveAttribute(
    "href",
    "tel:+8801711000000",
  );
  expect(within(phone).getByRole("link", { name: "salma@example.com" })).toBeVisible();
  expect(document.title).toBe("iPhone 6 for $180 · SecondRing");
});

test("where contact data are for paid buyers, the page has the location only, and asks nobody to sign in", async () => {
  await renderLoadedPhone(aProduct({ email: undefined, phone: undefined }));
  const seller = screen.getByRole("region", { name: "Seller" });
  expect(seller).toHaveTextContent("Dhaka");
  expect(within(seller).queryByRole("link")).toBeNull();
});

test("the gallery is used by buttons, arrow keys and thumbnails, and each photo has alternative text", async () => {
  const { user } = await renderLoadedPhone(aProduct({ photos }));
  expect(screen.getAllByRole("img").map((img) => img.getAttribute("alt"))).toEqual([
    "Photo 1 of iPhone 6",
    "The back",
    "Photo 3 of iPhone 6",
  ]);
  const photoStrip = screen.getByRole("group", { name: "Photo 1 of 3" });
  await user.click(screen.getByRole("button", { name: "Next photo" }));
  expect(photoStrip).toHaveAccessibleName("Photo 2 of 3");
  act(() => photoStrip.focus());
  await user.keyboard("{ArrowRight}{ArrowRight}");
  expect(photoStrip).toHaveAccessibleName("Photo 3 of 3");
  await user.keyboard("{ArrowLeft}");
  expect(photoStrip).toHaveAccessibleName("Photo 2 of 3");
  const first = screen.getByRole("button", { name: "Show photo 1" });
  await user.click(first);
  expect(first).toHaveAttribute("aria-current", "true");
});

test("a single photo has only the button that enlarges it", async () => {
  await renderLoadedPhone(aProduct());
  expect(screen.getByRole("img", { name: "Photo of iPhone 6" })).toBeVisible();
  const names = screen.getAllByRole("button", { name: /photo/ }).map(({ ariaLabel }) => ariaLabel);
  expect(names).toEqual(["Enlarge photo"]);
});

test("a photo opens in full size; keys show the next one, zoom and close, and the focus returns", async () => {
  const srcset = "/images/2-320.webp 320w";
  const { user } = await renderLoadedPhone(
    aProduct({ photos: photos.map((photo) => ({ ...photo, srcset })) }),
  );
  await user.click(screen.getByRole("button", { name: "Show photo 2" }));
  await user.click(screen.getByRole("button", { name: "Enlarge photo" }));
  const viewer = within(await screen.findByRole("dialog", { name: "iPhone 6" }));
  const large = viewer.getByRole("img", { name: "The back" });
  expect(large).toHaveAttribute("src", "/images/2.jpg");
  expect(large).not.toHaveAttribute("srcset");
  expect(viewer.getByRole("group", { name: "Photo 2 of 3" })).toHaveFocus();
  await user.click(large);
  expect(viewer.getByRole("button", { name: "Zoom out" })).toBeEnabled();
  await user.keyboard("+");
  expect(viewer.getByRole("button", { name: "Zoom in" })).toBeDisabled();
  await user.keyboard("{ArrowRight}--");
  expect(viewer.getByRole("group", { name: "Photo 2 of 3" })).toBeVisible();
  await user.keyboard("{ArrowRight}{ArrowRight}");
  expect(viewer.getByRole("group", { name: "Photo 3 of 3" })).toBeVisible();
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.getByRole("button", { name: "Enlarge photo" })).toHaveFocus();
  expect(screen.getByRole("group", { name: "Photo 3 of 3" })).toBeVisible();
});

test("Book Now and Report To Admin remember the phone for their dialogs", async () => {
  const product = aProduct();
  const { store, user } = await renderLoadedPhone(product);
  await user.click(screen.getByRole("button", { name: "Book Now" }));
  expect(store.getState().dialog).toEqual({ dialog: "booking", product });
  await user.click(screen.getByRole("button", { name: "Report To Admin" }));
  expect(store.getState().dialog).toEqual({ dialog: "report", product });
});

test("the open page is updated when the phone is booked, released, changed and removed", async () => {
  const product = aProduct();
  const { store } = await renderLoadedPhone(product);
  const receive = (type: string, overrides: Partial<Product> & { version: number }) =>
    receiveEvents(store, anEvent(topic, type, { ...product, ...overrides }));
  screen.getByRole("button", { name: "Book Now" }).focus();
  receive("product.booked", { booked: true, version: 2 });
  expect(screen.getByText("Booked").parentElement).toHaveFocus();
  expect(screen.queryByRole("button", { name: "Book Now" })).toBeNull();
  receive("product.released", { version: 3 });
  expect(screen.getByRole("button", { name: "Book Now" })).toBeVisible();
  receive("product.changed", { resalePrice: 150, version: 4 });
  expect(screen.getByText("$150")).toBeVisible();
  const { _id } = product;
  receiveEvents(store, anEvent(topic, "product.removed", { _id, version: 5 }));
  expect(screen.getByText("No longer for sale")).toBeVisible();
  expect(screen.getByRole("heading", { level: 1, name: "iPhone 6" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Report To Admin" })).toBeDisabled();
});

test("events of the brand's other phones do not change the page", async () => {
  const product = aProduct();
  const { store } = await renderLoadedPhone(product);
  const other = aProduct({ name: "Newcomer", booked: true });
  receiveEvents(store, anEvent(topic, "product.added", other));
  expect(screen.getByRole("button", { name: "Book Now" })).toBeVisible();
});

test("other available phones of the brand are shown, those of the same seller first; one that is booked meanwhile is marked", async () => {
  const sellersPhone = aProduct({ name: "Of the seller" });
  const others = [
    sellersPhone,
    aProduct({ name: "Taken", booked: true }),
    aProduct({ name: "Of another", email: "other@example.com" }),
  ];
  const { store } = await renderLoadedPhone(aProduct(), others);
  const more = within(screen.getByRole("region", { name: "More from Apple" }));
  const itemTexts = () => more.getAllByRole("listitem").map((item) => item.textContent);
  await more.findAllByRole("listitem");
  expect(itemTexts()).toEqual(["Of the seller$180Same seller", "Of another$180Good"]);
  // Four tiles, and the page's own phone.
  expect(callsTo("GET", `/categories/${apple._id}`).map(({ url }) => url)).toEqual([
    expect.stringContaining("limit=20"),
  ]);
  const booked = { ...sellersPhone, booked: true, version: 2 };
  receiveEvents(store, anEvent(topic, "product.booked", booked));
  expect(itemTexts()).toEqual(["Of the sellerJust bookedSame seller", "Of another$180Good"]);
});

test("a visitor sees no contact data and no other phones, and is redirected to the login", async () => {
  const { phone: _, email: __, location: ___, ...publicFields } = aProduct();
  on("get", `/products/${publicFields._id}`, { body: { ...publicFields } });
  const { user } = renderPhone(publicFields._id, null);
  await screen.findByRole("heading", { level: 1, name: "iPhone 6" });
  expect(screen.getByRole("link", { name: /Log in to see phone/ })).toHaveAttribute("href", "/login");
  expect(screen.queryByText("Dhaka")).toBeNull();
  expect(screen.queryByRole("heading", { name: "More from Apple" })).toBeNull();
  expect(callsTo("GET", `/products/${publicFields._id}`)[0]?.authorization).toBeNull();
  await user.click(screen.getByRole("button", { name: "Book Now" }));
  expect(screen.getByTestId("current-path")).toHaveTextContent("/login");
});

test("a visitor's page is updated by the events of the phone", async () => {
  const product = aProduct();
  onPhone(product);
  const { store } = renderPhone(product._id, null);
  await screen.findByRole("button", { name: "Book Now" });
  const receive = (type: string, data: LiveEvent["data"]) => receiveEvents(store, anEvent(topic, type, data));
  receive("product.booked", { ...product, version: 2, booked: true });
  expect(screen.getByText("Booked")).toBeVisible();
  receive("product.changed", { ...product, version: 3, resalePrice: 150 });
  expect(screen.getByText("$150")).toBeVisible();
  receive("product.removed", { _id: product._id, version: 4 });
  expect(await screen.findByText("No longer for sale")).toBeVisible();
});

test("Share opens the browser's share dialog, or copies the link without one", async () => {
  const product = aProduct();
  const { user } = await renderLoadedPhone(product);
  await user.click(screen.getByRole("button", { name: "Share" }));
  expect(await screen.findByText("Link copied")).toBeVisible();
  const share = vi.fn(() => Promise.resolve());
  Object.assign(navigator, { share });
  await user.click(screen.getByRole("button", { name: "Share" }));
  expect(share).toHaveBeenCalledWith({ title: "iPhone 6", url: expect.stringContaining("http") });
  Reflect.deleteProperty(navigator, "share");
});

test("an unknown phone shows a message with links", async () => {
  on("get", "/products/none", errorResponse(404, "No such phone"));
  renderPhone("none");
  expect(screen.getByText("Loading the phone")).toBeInTheDocument();
  expect(await screen.findByText("This phone is no longer for sale")).toBeVisible();
  expect(screen.getByRole("link", { name: "Browse all brands" })).toHaveAttribute("href", "/categories");
});

test("a failed request shows an error with a retry button", async () => {
  const product = aProduct();
  on("get", `/products/${product._id}`, errorResponse(500, "Internal error"));
  onList(`/categories/${apple._id}`, topic, [product]);
  const { user } = renderPhone(product._id);
  const retry = await screen.findByRole("button", { name: "Try again" });
  onPhone(product);
  await user.click(retry);
  expect(await screen.findByRole("heading", { level: 1, name: "iPhone 6" })).toBeVisible();
});

test("only the phone's seller sees a link to the edit form", async () => {
  const phone = aProduct();
  await renderLoadedPhone(phone);
  expect(screen.queryByRole("link", { name: "Edit this phone" })).toBeNull();
  cleanup();
  onPhone(phone);
  onList(`/categories/${apple._id}`, topic, [phone]);
  renderPhone(phone._id, salma);
  expect(await screen.findByRole("link", { name: "Edit this phone" })).toHaveAttribute(
    "href",
    `/dashboard/myProducts/${phone._id}`,
  );
});
