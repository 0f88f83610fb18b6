import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderForm } from "@/testing/addProductForm";
import { aProduct, salma } from "@/testing/factories";
import { on, startServer } from "@/testing/server";
import { today } from "./validation";

startServer();

const sold = aProduct({
  name: "Nexus 5",
  storage: 32,
  originalPrice: 350,
  resalePrice: 90,
  delivers: "send",
  postage: 8,
  location: "Sylhet",
  description: "One scratch",
  photos: [{ url: "/images/nexus.webp", alt: "The back" }],
  sold: true,
  booked: true,
});

async function renderLike(query: string, phone = sold) {
  on("get", `/products/${phone._id}`, { body: { ...phone }, headers: { "Live-Position": "brand:1=e1-1" } });
  return renderForm({}, { at: `?like=${phone._id}${query}` });
}

const photos = () => screen.queryByRole("list", { name: "Chosen photos" });

it("a phone like another one has its values, without photos and description", async () => {
  await renderLike("");
  const values = {
    Name: "Nexus 5",
    Brand: "Apple",
    Storage: "32",
    "Original Price": "350",
    "Resale Price": "90",
    Condition: "Good",
    Postage: "8",
    Location: "Sylhet",
    Description: "",
    Date: today(),
  };
  for (const [label, value] of Object.entries(values)) {
    expect(screen.getByLabelText(label)).toHaveValue(value);
  }
  expect(photos()).toBeNull();
  expect(sessionStorage.getItem("formDraft")).toBeNull();
});

it("the same phone again also has its photos and its description", async () => {
  await renderLike("&again=true");
  expect(screen.getByLabelText("Description")).toHaveValue("One scratch");
  expect(screen.getByLabelText("What photo 1 shows")).toHaveValue("The back");
  expect(photos()).toBeVisible();
});

it("each has a draft of its own", async () => {
  const plain = await renderForm();
  await plain.user.type(screen.getByLabelText("Name"), "iPhone 6");
  plain.unmount();
  const like = await renderLike("");
  expect(screen.getByLabelText("Name")).toHaveValue("Nexus 5");
  await like.user.type(screen.getByLabelText("Description"), "No scratch");
  like.unmount();
  const { user, unmount } = await renderLike("");
  expect(screen.getByLabelText("Description")).toHaveValue("No scratch");
  await user.click(screen.getByRole("button", { name: "Start over" }));
  expect(screen.getByLabelText("Name")).toHaveValue("Nexus 5");
  expect(screen.getByLabelText("Description")).toHaveValue("");
  unmount();
  await renderForm();
  expect(screen.getByLabelText("Name")).toHaveValue("iPhone 6");
});

it.each([
  ["that belongs to another seller", { ...sold, sellerKey: "key of Nusrat" }, 200],
  ["that does not exist", sold, 404],
])("a phone %s changes nothing", async (_, phone, status) => {
  on("get", `/products/${phone._id}`, {
    status,
    body: { ...phone, message: "Not found", code: "not_found" },
  });
  await renderForm({}, { at: `?like=${phone._id}` });
  await waitFor(() => expect(screen.getByLabelText("Name")).toHaveValue(""));
  expect(screen.getByLabelText("Seller Name")).toHaveValue(salma.displayName);
});
