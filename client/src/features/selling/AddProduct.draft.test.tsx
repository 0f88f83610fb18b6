import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { fillForm, onImageHost, renderForm, submitButton, uploaded } from "@/testing/addProductForm";
import { apple, salma } from "@/testing/factories";
import { callsTo, on, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import AddProduct from "./AddProduct";

startServer();

describe("a draft", () => {
  it("is restored after a reload with its uploaded photos, and deleted after the phone is listed", async () => {
    onImageHost("http://localhost:8080/images", uploaded);
    on("post", "/products", { body: { acknowledged: true, insertedId: "p1" } });
    const before = await renderForm();
    await fillForm(before.user);
    await before.user.selectOptions(screen.getByLabelText("How can the buyer get it?"), "send");
    await before.user.type(screen.getByLabelText("Postage"), "9");
    await screen.findByText("Uploaded");
    before.unmount();
    const { user } = await renderForm();
    expect(screen.getByText("Your draft has been restored.")).toBeVisible();
    expect(screen.getByLabelText("Name")).toHaveValue("iPhone 6");
    expect(screen.getByLabelText("Brand")).toHaveValue("Apple");
    await user.click(submitButton());
    expect(await screen.findByText("Product Added Successfully")).toBeVisible();
    expect(callsTo("POST", "/products")[0]?.body).toMatchObject({
      img: "/images/abc.webp",
      resalePrice: 180,
      delivers: "send",
      postage: 9,
    });
    expect(sessionStorage.getItem("formDraft")).toBeNull();
  });

  it("can be discarded, and is not shown to another user", async () => {
    const before = await renderForm();
    await before.user.type(screen.getByLabelText("Name"), "iPhone 6");
    before.unmount();
    on("get", "/productCategory", { body: [{ ...apple }] });
    const other = renderScreen(<AddProduct />, { me: { ...salma, uid: "u-other" } });
    expect(screen.getByLabelText("Name")).toHaveValue("");
    other.unmount();
    sessionStorage.clear();
    const second = await renderForm();
    await second.user.type(screen.getByLabelText("Name"), "Nexus 5");
    second.unmount();
    const { user } = await renderForm();
    await user.click(screen.getByRole("button", { name: "Start over" }));
    expect(screen.getByLabelText("Name")).toHaveValue("");
    expect(sessionStorage.getItem("formDraft")).toBeNull();
  });
});
