import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, test } from "vitest";
import type { Product } from "@/api/types";
import { anEvent, aProduct, apple, salma } from "@/testing/factories";
import { callsTo, errorResponse, on, onConfig, startServer } from "@/testing/server";
import { receiveEvents, renderScreen } from "@/testing/serverScreen";
import EditPhone from "./EditPhone";

startServer();

const topic = `brand:${apple._id}`;
const photos = [
  { url: "/images/1.jpg", alt: "The front" },
  { url: "/images/2.jpg", alt: "" },
];

/** Sets the response for this phone; a change of `phone` is in the next response. */
function onPhone(product: Product) {
  const server = { phone: product };
  on("get", `/products/${product._id}`, () => ({
    body: { ...server.phone },
    headers: { "Live-Position": `${topic}=e1-1` },
  }));
  return server;
}

async function renderEditPhone(phone: Product) {
  on("get", "/products/search", { body: [] });
  const screens = (
    <Routes>
      <Route path="/dashboard/myProducts/:id" element={<EditPhone />} />
      <Route path="*" element={null} />
    </Routes>
  );
  const view = renderScreen(screens, { me: salma, at: `/dashboard/myProducts/${phone._id}` });
  await screen.findByRole("heading", { name: `Edit ${phone.name}` });
  return view;
}

async function setUp(overrides: Partial<Product> = {}) {
  onConfig();
  const phone = aProduct({ photos, ...overrides });
  const server = onPhone(phone);
  const view = await renderEditPhone(phone);
  const changeElsewhere = (changed: Partial<Product>) => {
    server.phone = { ...server.phone, version: server.phone.version + 1, ...changed };
    receiveEvents(view.store, anEvent(topic, "product.changed", { ...server.phone }));
  };
  const sentBodies = () => callsTo("PATCH", `/products/${phone._id}`).map(({ body }) => body);
  const acceptChange = () =>
    on("patch", `/products/${phone._id}`, { body: { acknowledged: true, modifiedCount: 1 } });
  /** Accepts a change of the phone's current version, and rejects one of an earlier version as a conflict. */
  const acceptCurrentVersion = () =>
    on("patch", `/products/${phone._id}`, async (request) => {
      const { version } = (await request.clone().json()) as { version: number };
      if (version === server.phone.version) return { body: { acknowledged: true, modifiedCount: 1 } };
      return {
        status: 409,
        body: { message: "This phone has been changed elsewhere in the meantime", code: "conflict" },
      };
    });
  return { ...view, phone, server, changeElsewhere, sentBodies, acceptChange, acceptCurrentVersion };
}

const saveButton = () => screen.getByRole("button", { name: "Save changes" });
const field = (label: string) => screen.getByLabelText(label);

test("the edit form shows the phone and sends the changed fields with the phone's version", async () => {
  const { user, sentBodies, acceptChange } = await setUp();
  acceptChange();
  expect(field("Description")).toHaveValue("Battery at 91 %, no scratches");
  expect(screen.queryByLabelText("Brand")).toBeNull();
  await user.clear(field("Resale Price"));
  await user.type(field("Resale Price"), "150");
  await user.type(field("What photo 2 shows"), "The back");
  await user.click(screen.getByRole("button", { name: "Move photo 2 forward" }));
  await user.click(saveButton());
  expect(await screen.findByText("Changes Saved")).toBeVisible();
  expect(screen.getByTestId("current-path")).toHaveTextContent("/dashboard/myProducts");
  expect(sentBodies()).toEqual([
    {
      version: 1,
      resalePrice: 150,
      photos: [
        { url: "/images/2.jpg", alt: "The back" },
        { url: "/images/1.jpg", alt: "The front" },
      ],
    },
  ]);
});

test("the edit form requires a photo and every field", async () => {
  const { user, sentBodies } = await setUp({ photos: photos.slice(0, 1) });
  await user.clear(field("Name"));
  await user.click(screen.getByRole("button", { name: "Remove photo 1" }));
  await user.click(saveButton());
  expect(await screen.findByText("Name is required")).toBeVisible();
  expect(screen.getByText("Image is required")).toBeVisible();
  expect(sentBodies()).toEqual([]);
});

test("the edit form sends no request and shows a message if nothing was changed", async () => {
  const { user, sentBodies } = await setUp();
  await user.click(saveButton());
  expect(await screen.findByText("There are no changes to save")).toBeVisible();
  expect(saveButton()).toBeVisible();
  expect(sentBodies()).toEqual([]);
});

test("the edit form shows that the phone was booked, keeps the values, and can be saved after the booking ends", async () => {
  const { user, changeElsewhere, sentBodies, acceptChange } = await setUp();
  await user.type(field("Description"), ". Mended.");
  changeElsewhere({ booked: true });
  expect(await screen.findByText(/^It has been booked/)).toBeVisible();
  expect(saveButton()).toBeDisabled();
  expect(saveButton()).toHaveAccessibleDescription(/can't be changed now/);
  changeElsewhere({ booked: false });
  await waitFor(() => expect(saveButton()).toBeEnabled());
  acceptChange();
  await user.click(saveButton());
  await screen.findByText("Changes Saved");
  expect(sentBodies()).toEqual([{ version: 3, description: "Battery at 91 %, no scratches. Mended." }]);
});

test("the edit form shows after saving that the phone is booked, without a live connection", async () => {
  const { user, phone, server } = await setUp();
  on("patch", `/products/${phone._id}`, {
    status: 409,
    body: { message: "This phone is booked and cannot be changed now", code: "held" },
  });
  server.phone = { ...phone, version: 2, booked: true };
  await user.type(field("Description"), "!");
  await user.click(saveButton());
  expect(await screen.findByText(/^It has been booked/)).toBeVisible();
  expect(field("Description")).toHaveValue("Battery at 91 %, no scratches!");
});

test("the edit form applies changes of other fields, and shows conflicts for fields that were changed in both", async () => {
  const { user, changeElsewhere, sentBodies, acceptChange } = await setUp();
  await user.clear(field("Resale Price"));
  await user.type(field("Resale Price"), "170");
  changeElsewhere({ resalePrice: 150, description: "Mended" });
  expect(await screen.findByText("Resale Price is now “150”.")).toBeVisible();
  expect(field("Resale Price")).toHaveValue("170");
  expect(field("Description")).toHaveValue("Mended");
  await user.click(screen.getByRole("button", { name: "Use the saved Resale Price" }));
  expect(field("Resale Price")).toHaveValue("150");
  expect(screen.queryByRole("heading", { name: "Changed elsewhere while you were editing" })).toBeNull();
  acceptChange();
  await user.type(field("Used Time"), "!");
  await user.click(saveButton());
  await screen.findByText("Changes Saved");
  expect(sentBodies()).toEqual([{ version: 2, usedTime: "2 years!" }]);
});

test("the edit form changes the delivery, and shows in words what was saved elsewhere", async () => {
  const { user, changeElsewhere, sentBodies, acceptChange } = await setUp({ postage: 12 });
  expect(field("Postage")).toHaveValue("12");
  await user.selectOptions(field("How can the buyer get it?"), "meet");
  changeElsewhere({ delivers: "send" });
  expect(await screen.findByText("Delivery is now “Send it”.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Use the saved Delivery" })).toBeVisible();
  acceptChange();
  await user.click(saveButton());
  await screen.findByText("Changes Saved");
  expect(sentBodies()).toEqual([{ version: 2, delivers: "meet" }]);
});

test("the edit form changes whether the seller takes offers", async () => {
  const { user, sentBodies, acceptChange } = await setUp();
  const box = screen.getByRole("checkbox", { name: "Take offers" });
  expect(box).toBeChecked();
  acceptChange();
  await user.click(box);
  await user.click(saveButton());
  await screen.findByText("Changes Saved");
  expect(sentBodies()).toEqual([{ version: 1, offers: false }]);
});

test("the edit form shows a late conflict before it overwrites the other value", async () => {
  const { user, phone, server, sentBodies, acceptCurrentVersion } = await setUp();
  acceptCurrentVersion();
  server.phone = { ...phone, version: 2, resalePrice: 150 };
  await user.clear(field("Resale Price"));
  await user.type(field("Resale Price"), "170");
  await user.click(saveButton());
  expect(await screen.findByText("Resale Price is now “150”.")).toBeVisible();
  expect(sentBodies()).toHaveLength(1);
  await user.click(saveButton());
  await screen.findByText("Changes Saved");
  expect(sentBodies()[1]).toEqual({ version: 2, resalePrice: 170 });
});

test("the edit form saves after a conflict with a change of other fields", async () => {
  const { user, phone, server, sentBodies, acceptCurrentVersion } = await setUp();
  acceptCurrentVersion();
  server.phone = { ...phone, version: 2, verified: false };
  await user.type(field("Used Time"), "!");
  await user.click(saveButton());
  await screen.findByText("Changes Saved");
  expect(sentBodies()).toEqual([
    { version: 1, usedTime: "2 years!" },
    { version: 2, usedTime: "2 years!" },
  ]);
});

test("the edit form shows the server's errors at their fields, and that the phone was removed", async () => {
  const { user, phone, store } = await setUp();
  on(
    "patch",
    `/products/${phone._id}`,
    errorResponse(422, "Used time is not valid", { usedTime: "Used time is not valid" }),
  );
  await user.type(field("Used Time"), "!");
  await user.click(saveButton());
  expect(await screen.findByText("Used time is not valid")).toBeVisible();
  expect(field("Used Time")).toBeInvalid();
  const removed = { _id: phone._id, version: 9 };
  receiveEvents(store, anEvent(topic, "product.removed", removed));
  expect(await screen.findByText(/^It has been removed/)).toBeVisible();
  expect(field("Used Time")).toHaveValue("2 years!");
});

test("the edit form is shown to the phone's seller only", async () => {
  onConfig();
  const phone = aProduct({ email: "other@example.com" });
  onPhone(phone);
  const screens = (
    <Routes>
      <Route path="/dashboard/myProducts/:id" element={<EditPhone />} />
    </Routes>
  );
  renderScreen(screens, { me: salma, at: `/dashboard/myProducts/${phone._id}` });
  const message = await screen.findByText("This phone belongs to another seller");
  expect(within(message.parentElement as HTMLElement).getByRole("link")).toHaveAttribute(
    "href",
    "/dashboard/myProducts",
  );
});

test("the edit form restores the values when the seller leaves and returns", async () => {
  const { user, phone, sentBodies, acceptChange, unmount } = await setUp();
  acceptChange();
  await user.clear(field("Resale Price"));
  await user.type(field("Resale Price"), "150");
  await user.type(field("What photo 2 shows"), "The back");
  unmount();
  await renderEditPhone(phone);
  expect(screen.getByText("Your draft has been restored.")).toBeVisible();
  expect(field("Resale Price")).toHaveValue("150");
  expect(field("What photo 2 shows")).toHaveValue("The back");
  await user.click(saveButton());
  expect(await screen.findByText("Changes Saved")).toBeVisible();
  expect(sentBodies()).toHaveLength(1);
  expect(sentBodies()[0]).toMatchObject({ version: 1, resalePrice: 150 });
});

test("the edit form shows conflicts with a restored draft, and can be reset", async () => {
  const { user, phone, server, unmount } = await setUp();
  await user.clear(field("Description"));
  await user.type(field("Description"), "Mended");
  server.phone = { ...server.phone, version: 2, description: "As new", location: "Khulna" };
  unmount();
  const restored = await renderEditPhone(phone);
  expect(field("Location")).toHaveValue("Khulna");
  expect(field("Description")).toHaveValue("Mended");
  expect(screen.getByText("Description is now “As new”.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Start over" }));
  expect(field("Description")).toHaveValue("As new");
  expect(screen.queryByText("Your draft has been restored.")).toBeNull();
  restored.unmount();
  await renderEditPhone(phone);
  expect(screen.queryByText("Your draft has been restored.")).toBeNull();
});

test("the edit form deletes the draft when the seller discards it", async () => {
  const { user, phone, unmount } = await setUp();
  await user.type(field("Name"), " Plus");
  await user.click(screen.getByRole("link", { name: "Discard" }));
  unmount();
  await renderEditPhone(phone);
  expect(field("Name")).toHaveValue("iPhone 6");
  expect(screen.queryByText("Your draft has been restored.")).toBeNull();
});
