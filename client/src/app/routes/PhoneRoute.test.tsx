import { screen } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, it } from "vitest";
import type { SignedInUser } from "@/api/types";
import { aProduct, apple, karim, salma } from "@/testing/factories";
import { on, onList, onRole, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import PhoneRoute from "./PhoneRoute";

startServer();

const phone = aProduct({ name: "iPhone 6" });

async function renderPhone(me: SignedInUser, role: "buyer" | "seller") {
  const topic = `brand:${apple._id}`;
  on("get", `/products/${phone._id}`, { body: { ...phone }, headers: { "Live-Position": `${topic}=e1-1` } });
  onList(`/categories/${apple._id}`, topic, [phone]);
  onRole(me.email, role);
  const screens = (
    <Routes>
      <Route path="/phone/:id" element={<PhoneRoute />} />
    </Routes>
  );
  renderScreen(screens, { me, at: `/phone/${phone._id}` });
  await screen.findByRole("heading", { level: 1, name: phone.name });
}

it("a seller lists another phone like their own", async () => {
  await renderPhone(salma, "seller");
  expect(screen.getByRole("link", { name: "List another like this: iPhone 6" })).toHaveAttribute(
    "href",
    `/dashboard/addProduct?like=${phone._id}`,
  );
});

it("others have no link to list another phone", async () => {
  await renderPhone(karim, "buyer");
  expect(screen.queryByRole("link", { name: /^List another/ })).toBeNull();
});
