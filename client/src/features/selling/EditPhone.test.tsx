import { act, screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, test } from "vitest";
import { eventsReceived } from "@/api/liveActions";
import type { Product } from "@/api/types";
import { anEvent, aProduct, apple, salma } from "@/testing/factories";
import { callsTo, errorResponse, on, onConfig, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import EditPhone from "./EditPhone";

startServer();

const topic = `brand:${apple._id}`;
const photos = [
  { url: "/images/1.jpg", alt: "The front" },
  { url: "/images/2.jpg", alt: "" },
];

/** A server that has this phone, until it is given another. */
function serve(product: Product) {
  const held = { now: product };
  on("get", `/products/${product._id}`, () => ({
    body: { ...held.now },
    headers: { "Live-Position": `${topic}=e1-1` },
  }));
  return held;
}

async function show(phone: Product) {
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

async function open(over: Partial<Product> = {}) {
  onConfig();
  const phone = aProduct({ photos, ...over });
  const held = serve(phone);
  const view = await show(phone);
  const push = (changed: Partial<Product>) => {
    held.now = { ...held.now, version: held.now.version + 1, ...changed };
    act(() => void view.store.dispatch(eventsReceived([anEvent(topic, "product.changed", { ...held.now })])));
  };
  const sent = () => callsTo("PATCH", `/products/${phone._id}`).map(({ body }) => body);
  const accept = () =>
    on("patch", `/products/${phone._id}`, { body: { acknowledged: true, modifiedCount: 1 } });
  return { ...view, phone, held, push, sent, accept };
}

const saveButton = () => screen.getByRole("button", { name: "Save changes" });
const field = (label: string) => screen.getByLabelText(label);

test("shows the phone and sends just what was changed, with the version it was changed from", async () => {
  const { user, sent, accept } = await open();
  accept();
  expect(field("Description")).toHaveValue("Battery at 91 %, no scratches");
  expect(screen.queryByLabelText("Brand")).toBeNull();
  await user.clear(field("Resale Price"));
  await user.type(field("Resale Price"), "150");
  await user.type(field("What photo 2 shows"), "The back");
  await user.click(screen.getByRole("button", { name: "Move photo 2 forward" }));
  await user.click(saveButton());
  expect(await screen.findByText("Changes Saved")).toBeVisible();
  expect(screen.getByTestId("current-path")).toHaveTextContent("/dashboard/myProducts");
  expect(sent()).toEqual([
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

test("wants a photo and every field, and sends nothing that is as it was", async () => {
  const { user, sent } = await open({ photos: photos.slice(0, 1) });
  await user.clear(field("Name"));
  await user.click(screen.getByRole("button", { name: "Remove photo 1" }));
  await user.click(saveButton());
  expect(await screen.findByText("Name is required")).toBeVisible();
  expect(screen.getByText("Image is required")).toBeVisible();
  expect(sent()).toEqual([]);
});

test("goes back where nothing was changed", async () => {
  const { user, sent } = await open();
  await user.click(saveButton());
  expect(await screen.findByText("There are no changes to save")).toBeVisible();
  expect(sent()).toEqual([]);
});

test("says so when the phone is booked under the seller's eyes, keeps what was typed, and goes on after it", async () => {
  const { user, push, sent, accept } = await open();
  await user.type(field("Description"), ". Mended.");
  push({ booked: true });
  expect(await screen.findByText(/^It has been booked/)).toBeVisible();
  expect(saveButton()).toBeDisabled();
  expect(saveButton()).toHaveAccessibleDescription(/can't be changed now/);
  push({ booked: false });
  await waitFor(() => expect(saveButton()).toBeEnabled());
  accept();
  await user.click(saveButton());
  await screen.findByText("Changes Saved");
  expect(sent()).toEqual([{ version: 3, description: "Battery at 91 %, no scratches. Mended." }]);
});

test("finds out by saving that it is booked, where live is away", async () => {
  const { user, phone, held } = await open();
  on("patch", `/products/${phone._id}`, {
    status: 409,
    body: { message: "This phone is booked and cannot be changed now", code: "held" },
  });
  held.now = { ...phone, version: 2, booked: true };
  await user.type(field("Description"), "!");
  await user.click(saveButton());
  expect(await screen.findByText(/^It has been booked/)).toBeVisible();
  expect(field("Description")).toHaveValue("Battery at 91 %, no scratches!");
});

test("follows what was changed elsewhere, and asks where both changed the same", async () => {
  const { user, push, sent, accept } = await open();
  await user.clear(field("Resale Price"));
  await user.type(field("Resale Price"), "170");
  push({ resalePrice: 150, description: "Mended" });
  expect(await screen.findByText("Resale Price is now “150”.")).toBeVisible();
  expect(field("Resale Price")).toHaveValue(170);
  expect(field("Description")).toHaveValue("Mended");
  await user.click(screen.getByRole("button", { name: "Use the saved Resale Price" }));
  expect(field("Resale Price")).toHaveValue(150);
  expect(screen.queryByText("Changed elsewhere while you were editing")).toBeNull();
  accept();
  await user.type(field("Used Time"), "!");
  await user.click(saveButton());
  await screen.findByText("Changes Saved");
  expect(sent()).toEqual([{ version: 2, usedTime: "2 years!" }]);
});

test("overwrites nothing that was not seen: a change that comes too late is shown first", async () => {
  const { user, phone, held, sent } = await open();
  on("patch", `/products/${phone._id}`, async (request) => {
    const { version } = (await request.clone().json()) as { version: number };
    if (version === held.now.version) return { body: { acknowledged: true, modifiedCount: 1 } };
    return {
      status: 409,
      body: { message: "This phone has been changed elsewhere in the meantime", code: "conflict" },
    };
  });
  held.now = { ...phone, version: 2, resalePrice: 150 };
  await user.clear(field("Resale Price"));
  await user.type(field("Resale Price"), "170");
  await user.click(saveButton());
  expect(await screen.findByText("Resale Price is now “150”.")).toBeVisible();
  expect(sent()).toHaveLength(1);
  await user.click(saveButton());
  await screen.findByText("Changes Saved");
  expect(sent()[1]).toEqual({ version: 2, resalePrice: 170 });
});

test("saves by itself what a change elsewhere does not touch", async () => {
  const { user, phone, held, sent } = await open();
  on("patch", `/products/${phone._id}`, async (request) => {
    const { version } = (await request.clone().json()) as { version: number };
    if (version === held.now.version) return { body: { acknowledged: true, modifiedCount: 1 } };
    return {
      status: 409,
      body: { message: "This phone has been changed elsewhere in the meantime", code: "conflict" },
    };
  });
  held.now = { ...phone, version: 2, verified: false };
  await user.type(field("Used Time"), "!");
  await user.click(saveButton());
  await screen.findByText("Changes Saved");
  expect(sent()).toEqual([
    { version: 1, usedTime: "2 years!" },
    { version: 2, usedTime: "2 years!" },
  ]);
});

test("puts the server's words beside their field, and a removed phone's in its place", async () => {
  const { user, phone, store } = await open();
  on(
    "patch",
    `/products/${phone._id}`,
    errorResponse(422, "Some fields need another look", { usedTime: "is odd" }),
  );
  await user.type(field("Used Time"), "!");
  await user.click(saveButton());
  expect(await screen.findByText("is odd")).toBeVisible();
  expect(field("Used Time")).toBeInvalid();
  const gone = { _id: phone._id, version: 9 };
  act(() => void store.dispatch(eventsReceived([anEvent(topic, "product.removed", gone)])));
  expect(await screen.findByText(/^It has been removed from the market/)).toBeVisible();
  expect(field("Used Time")).toHaveValue("2 years!");
});

test("is for the phone's seller", async () => {
  onConfig();
  const phone = aProduct({ email: "somebody@example.com" });
  serve(phone);
  const screens = (
    <Routes>
      <Route path="/dashboard/myProducts/:id" element={<EditPhone />} />
    </Routes>
  );
  renderScreen(screens, { me: salma, at: `/dashboard/myProducts/${phone._id}` });
  const words = await screen.findByText("This phone belongs to another seller");
  expect(within(words.parentElement as HTMLElement).getByRole("link")).toHaveAttribute(
    "href",
    "/dashboard/myProducts",
  );
});

test("keeps what was typed when the seller goes elsewhere and comes back", async () => {
  const { user, phone, sent, accept, unmount } = await open();
  accept();
  await user.clear(field("Resale Price"));
  await user.type(field("Resale Price"), "150");
  await user.type(field("What photo 2 shows"), "The back");
  unmount();
  await show(phone);
  expect(screen.getByText("Your draft has been restored.")).toBeVisible();
  expect(field("Resale Price")).toHaveValue(150);
  expect(field("What photo 2 shows")).toHaveValue("The back");
  await user.click(saveButton());
  expect(await screen.findByText("Changes Saved")).toBeVisible();
  expect(sent()).toHaveLength(1);
  expect(sent()[0]).toMatchObject({ version: 1, resalePrice: 150 });
});

test("says what was saved elsewhere meanwhile, and starts over where the seller wants it", async () => {
  const { user, phone, held, unmount } = await open();
  await user.clear(field("Description"));
  await user.type(field("Description"), "Mended");
  held.now = { ...held.now, version: 2, description: "As new", location: "Khulna" };
  unmount();
  const again = await show(phone);
  expect(field("Location")).toHaveValue("Khulna");
  expect(field("Description")).toHaveValue("Mended");
  expect(screen.getByText("Description is now “As new”.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Start over" }));
  expect(field("Description")).toHaveValue("As new");
  expect(screen.queryByText("Your draft has been restored.")).toBeNull();
  again.unmount();
  await show(phone);
  expect(screen.queryByText("Your draft has been restored.")).toBeNull();
});

test("forgets what was typed when the seller discards it", async () => {
  const { user, phone, unmount } = await open();
  await user.type(field("Name"), " Plus");
  await user.click(screen.getByRole("link", { name: "Discard" }));
  unmount();
  await show(phone);
  expect(field("Name")).toHaveValue("iPhone 6");
  expect(screen.queryByText("Your draft has been restored.")).toBeNull();
});
