import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { fillForm, onImageHost, renderForm, submitButton, uploaded } from "@/testing/addProductForm";
import { aProduct, apple, salma } from "@/testing/factories";
import { callsTo, errorResponse, on, onConfig, onNetworkError, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import AddProduct from "./AddProduct";
import { checkPostage, checkPrice, today, tomorrow } from "./validation";

startServer();

describe("the form", () => {
  it("has controls with the names of the payload", async () => {
    await renderForm();
    const names: Record<string, string> = {
      Name: "name",
      Brand: "brand",
      "Original Price": "originalPrice",
      "Resale Price": "resalePrice",
      Condition: "productCondition",
      Colour: "colour",
      "Used Time": "usedTime",
      Description: "description",
      "How can the buyer get it?": "delivers",
      Postage: "postage",
      "Seller Name": "sellerName",
      Email: "email",
      Location: "location",
      Phone: "phone",
      Date: "selling_post_date",
      "Take offers": "offers",
      Image: "image",
    };
    for (const [label, name] of Object.entries(names)) {
      expect(screen.getByLabelText(label)).toHaveAttribute("name", name);
    }
  });

  it("has the seller, today's date and the three conditions", async () => {
    await renderForm();
    expect(screen.getByLabelText("Seller Name")).toHaveValue("Salma Rahman");
    expect(screen.getByLabelText("Email")).toHaveValue("salma@example.com");
    expect(screen.getByLabelText("Date")).toHaveValue(today());
    const options = [...screen.getByLabelText<HTMLSelectElement>("Condition").options].map(
      ({ text }) => text,
    );
    expect(options.slice(1)).toEqual(["Excellent", "Good", "Fair"]);
  });

  it("says at the first phone that there will be emails, where the market sends them", async () => {
    on("get", "/products", { body: [] });
    await renderForm({ mail: true });
    expect(await screen.findByText(/^We email you when your phone is sold\./)).toBeVisible();
  });

  it("says nothing about emails to a seller who has phones", async () => {
    on("get", "/products", { body: [aProduct()] });
    await renderForm({ mail: true });
    await waitFor(() => expect(callsTo("GET", "/products")).toHaveLength(1));
    expect(screen.queryByText(/^We email you/)).toBeNull();
  });

  it("folds the date and the seller on a telephone, until the date is wrong", async () => {
    vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
    onImageHost("http://localhost:8080/images", uploaded);
    const { user } = await renderForm();
    expect(screen.getByLabelText("Date")).not.toBeVisible();
    await fillForm(user);
    await user.clear(screen.getByLabelText("Date"));
    await user.click(submitButton());
    expect(await screen.findByText("Date is required")).toBeVisible();
    expect(screen.getByLabelText("Seller Name")).toBeVisible();
    expect(screen.getByLabelText("Date")).toHaveFocus();
  });

  it("begins with the contact that the account remembers, and stores another one once the phone is listed", async () => {
    onImageHost("http://localhost:8080/images", uploaded);
    on("get", "/identity/me", { body: { ...salma, phone: "01711", location: "Uttara" } });
    on("patch", "/identity/me", { body: { ...salma } });
    on("post", "/products", { body: { acknowledged: true, insertedId: "p1" } });
    const { user } = await renderForm();
    await waitFor(() => expect(screen.getByLabelText("Location")).toHaveValue("Uttara"));
    expect(sessionStorage.getItem("formDraft")).toBeNull();
    await user.clear(screen.getByLabelText("Location"));
    await user.clear(screen.getByLabelText("Phone"));
    await fillForm(user);
    await user.click(submitButton());
    await waitFor(() => expect(callsTo("PATCH", "/identity/me")).toHaveLength(1));
    expect(callsTo("PATCH", "/identity/me")[0]?.body).toEqual({ location: "Dhaka" });
  });

  it("requires every field", async () => {
    const { user } = await renderForm();
    await user.clear(screen.getByLabelText("Date"));
    await user.click(submitButton());
    await screen.findByText("Name is required");
    for (const field of [
      "Brand",
      "Condition",
      "Used Time",
      "Description",
      "Location",
      "Phone",
      "Date",
      "Image",
    ]) {
      expect(screen.getByText(`${field} is required`)).toBeVisible();
    }
    expect(screen.getAllByText("Price is required")).toHaveLength(2);
    expect(callsTo("POST", "/products")).toHaveLength(0);
  });
});

describe("adding a phone", () => {
  it("sends the photo, then the phone, shows a toast and leads to My Products", async () => {
    const uploads = onImageHost("http://localhost:8080/images", uploaded);
    on("post", "/products", { body: { acknowledged: true, insertedId: "p1" } });
    const { user } = await renderForm();
    await fillForm(user);
    await user.click(submitButton());
    expect(await screen.findByText("Product Added Successfully")).toBeVisible();
    await waitFor(() =>
      expect(screen.getByTestId("current-path")).toHaveTextContent("/dashboard/myProducts"),
    );
    expect(uploads).toMatchObject([{ key: "k-123", authorization: "Bearer test-token" }]);
    expect(uploads[0]?.type).toMatch(/^multipart\/form-data/);
    expect(callsTo("POST", "/products").map(({ body }) => body)).toEqual([
      {
        name: "iPhone 6",
        brand: "Apple",
        id: apple._id,
        img: "/images/abc.webp",
        originalPrice: 649,
        resalePrice: 180,
        productCondition: "Good",
        usedTime: "2 years",
        description: "No scratches",
        delivers: "both",
        offers: true,
        postage: 0,
        sellerName: "Salma Rahman",
        email: "salma@example.com",
        location: "Dhaka",
        phone: "01711",
        selling_post_date: today(),
        key: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ]);
  });

  it("sends the same key again when it is repeated", async () => {
    onImageHost("http://localhost:8080/images", uploaded);
    on("post", "/products", errorResponse(503, "Please try again in a moment"));
    const { user } = await renderForm();
    await fillForm(user);
    await user.click(submitButton());
    await screen.findByText("Please try again in a moment");
    on("post", "/products", { body: { acknowledged: true } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText("Product Added Successfully");
    const [first, second] = callsTo("POST", "/products").map(({ body }) => body as { key: string });
    expect(first?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.key).toBe(first?.key);
  });

  it("sends no bearer token to an image host of another origin", async () => {
    const uploads = onImageHost("https://images.example.com/1/upload", uploaded);
    on("post", "/products", { body: { acknowledged: true } });
    const { user } = await renderForm({
      imageHost: { url: "https://images.example.com/1/upload", key: "secret" },
    });
    await fillForm(user);
    await user.click(submitButton());
    await waitFor(() => expect(uploads).toMatchObject([{ key: "secret", authorization: null }]));
  });

  it("shows an error in the form, keeps the values and uploads the photo only once", async () => {
    const uploads = onImageHost("http://localhost:8080/images", uploaded);
    onNetworkError("post", "/products");
    const { user } = await renderForm();
    await fillForm(user);
    await user.click(submitButton());
    expect(await screen.findByText(/can't be reached/)).toBeVisible();
    expect(screen.getByLabelText("Name")).toHaveValue("iPhone 6");
    on("post", "/products", { body: { acknowledged: true } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Product Added Successfully")).toBeVisible();
    expect(uploads).toHaveLength(1);
  });

  it("shows why the photo was rejected", async () => {
    onImageHost(
      "http://localhost:8080/images",
      { success: false, error: { message: "This is not an image we know" } },
      422,
    );
    const { user } = await renderForm();
    await fillForm(user);
    await user.click(submitButton());
    expect(await screen.findByText("This is not an image we know")).toBeVisible();
    expect(callsTo("POST", "/products")).toHaveLength(0);
  });

  it("shows the server's errors at their fields, and others in the message", async () => {
    onImageHost("http://localhost:8080/images", uploaded);
    const fields = {
      resalePrice: "Price must be lower",
      id: "Brand is not known",
      sellerName: "This is not your name",
    };
    on("post", "/products", errorResponse(422, "Price must be lower", fields));
    const { user } = await renderForm();
    await fillForm(user);
    await user.click(submitButton());
    expect(await screen.findByText("Price must be lower")).toBeVisible();
    expect(screen.getByLabelText("Resale Price")).toBeInvalid();
    expect(screen.getByLabelText("Brand")).toBeInvalid();
    expect(screen.getByText("Please check the marked fields · This is not your name")).toBeVisible();
  });

  it("offers to send the link again to a seller whose email is not confirmed", async () => {
    onImageHost("http://localhost:8080/images", uploaded);
    const message = "Please confirm your email address first";
    on("post", "/products", { status: 403, body: { message, code: "verify_email" } });
    on("post", "/identity/verify/send", { status: 204 });
    const { user } = await renderForm();
    await fillForm(user);
    await user.click(submitButton());
    expect(await screen.findByText(message)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Send the link again" }));
    expect(await screen.findByText(/^Please check your inbox at salma@example.com/)).toBeVisible();
  });

  it("shows an error of the brands with a retry button", async () => {
    on("get", "/products/search", { body: [] });
    onConfig();
    onNetworkError("get", "/productCategory");
    const { user } = renderScreen(<AddProduct />, { me: salma });
    await screen.findByText(/can't be reached/);
    await user.type(screen.getByLabelText("Name"), "iPhone 6");
    on("get", "/productCategory", { body: [{ ...apple }] });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("option", { name: "Apple" })).toBeInTheDocument();
    expect(screen.getByLabelText("Name")).toHaveValue("iPhone 6");
  });
});

describe("the delivery", () => {
  const delivers = () => screen.getByLabelText("How can the buyer get it?");

  it("is both by default, with free postage", async () => {
    await renderForm();
    expect(delivers()).toHaveDisplayValue("Both");
    expect([...(delivers() as HTMLSelectElement).options].map(({ text }) => text)).toEqual([
      "Meet in person",
      "Send it",
      "Both",
    ]);
    expect(screen.getByLabelText("Postage")).toHaveValue("0");
    expect(screen.getByLabelText("Postage")).toHaveAccessibleDescription(/0 means free postage/);
  });

  it.each([
    ["send", "$12", { delivers: "send", postage: 12 }],
    ["both", "12", { delivers: "both", postage: 12 }],
    ["meet", "12", { delivers: "meet", postage: 0 }],
  ])("%s with the postage %s is sent", async (choice, postage, sent) => {
    onImageHost("http://localhost:8080/images", uploaded);
    on("post", "/products", { body: { acknowledged: true, insertedId: "1" } });
    const { user } = await renderForm();
    await fillForm(user);
    await user.clear(screen.getByLabelText("Postage"));
    await user.type(screen.getByLabelText("Postage"), postage);
    await user.selectOptions(delivers(), choice);
    await user.click(submitButton());
    await waitFor(() => expect(callsTo("POST", "/products")).toMatchObject([{ body: sent }]));
  });

  it("to meet only asks for no postage", async () => {
    const { user } = await renderForm();
    await user.selectOptions(delivers(), "meet");
    expect(screen.queryByLabelText("Postage")).toBeNull();
    await user.selectOptions(delivers(), "send");
    expect(screen.getByLabelText("Postage")).toBeVisible();
  });

  it.each(["0", "200", "$12.00", "১২"])("may have the postage %s", (postage) => {
    expect(checkPostage(postage)).toBe(true);
  });
  it.each(["", "201", "-1", "free"])("may not have the postage %s", (postage) => {
    expect(checkPostage(postage)).toBe("Postage must be a whole number of dollars from 0 to 200");
  });
  it("has a postage in whole dollars", () => {
    expect(checkPostage("9.50")).toMatch(/whole dollars/);
  });
});

it("the form shows the saving that buyers will see", async () => {
  const { user } = await renderForm();
  expect(screen.getByText(/^Enter both prices/)).toBeVisible();
  await user.type(screen.getByLabelText("Original Price"), "649");
  await user.type(screen.getByLabelText("Resale Price"), "180");
  expect(screen.getByText("Buyers see: save $469, 72% less than new")).toBeVisible();
  await user.type(screen.getByLabelText("Resale Price"), "0");
  expect(screen.getByText(/^Buyers see no saving/)).toBeVisible();
});

describe("a price", () => {
  it.each(["1", "100000", "1,250", "250.00", "২৫০", "US$ 300", "1,00,000"])("%s is valid", (price) => {
    expect(checkPrice(price)).toBe(true);
  });
  it.each(["0", "-5", "100001", "abc", "3-4", "€250", "1 25"])("%s is invalid", (price) => {
    expect(checkPrice(price)).toMatch(/whole number of dollars/);
  });
  it.each(["1.5", "250,50", "$0.99", "٢٥٠٫٥٠", "1.250,75"])("%s has cents", (price) => {
    expect(checkPrice(price)).toMatch(/Prices are in whole dollars/);
  });
});

it("prices and texts are sent as they are meant", async () => {
  onImageHost("http://localhost:8080/images", uploaded);
  on("post", "/products", { body: { acknowledged: true, insertedId: "1" } });
  const { user } = await renderForm();
  await fillForm(user);
  const type = async (label: string, text: string) => {
    await user.clear(screen.getByLabelText(label));
    await user.type(screen.getByLabelText(label), text);
  };
  await type("Name", "\ufeffiPhone\u00a06\u200b ");
  await type("Original Price", "$1,250.00");
  await type("Resale Price", "৮০০");
  await type("Phone", "০১৭১১\u2011১২৩৪৫৬");
  await type("Description", "Works\u200b.\u2028Boxed. ");
  expect(screen.getByLabelText("Resale Price")).toHaveValue("৮০০");
  expect(screen.getByText("Buyers see: save $450, 36% less than new")).toBeVisible();
  await user.click(submitButton());
  await waitFor(() => expect(callsTo("POST", "/products")).toHaveLength(1));
  expect(callsTo("POST", "/products")[0]?.body).toMatchObject({
    name: "iPhone 6",
    originalPrice: 1250,
    resalePrice: 800,
    phone: "01711-123456",
    description: "Works.\nBoxed.",
  });
});

it.each(["1999-12-31", "0001-01-01", "2036-01-01"])("the date %s is refused", async (date) => {
  const { user } = await renderForm();
  const field = screen.getByLabelText("Date");
  expect(field).toHaveAttribute("min", "2000-01-01");
  expect(field).toHaveAttribute("max", tomorrow());
  await user.clear(field);
  await user.type(field, date);
  await user.click(submitButton());
  expect(await screen.findByText("Date must be from 1 January 2000 to tomorrow")).toBeVisible();
});
