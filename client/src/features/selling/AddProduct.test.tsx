import { createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { Config } from "@/api/types";
import { apple, salma } from "@/testing/factories";
import { callsTo, errorResponse, on, onConfig, onNetworkError, server, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import AddProduct from "./AddProduct";
import { checkPrice, today } from "./rules";

startServer();

const photo = new File(["content"], "phone.jpg", { type: "image/jpeg" });

/** Sets the response of an image host; returns the requests that it receives. */
function onImageHost(url: string, body: object, status = 200) {
  const requests: { key: string | null; authorization: string | null; type: string | null }[] = [];
  server.use(
    http.post(url, ({ request }) => {
      requests.push({
        key: new URL(request.url).searchParams.get("key"),
        authorization: request.headers.get("authorization"),
        type: request.headers.get("content-type"),
      });
      return HttpResponse.json(body, { status });
    }),
  );
  return requests;
}

const uploaded = { success: true, data: { url: "/images/abc.webp" } };

async function renderForm(settings: Partial<Config> = {}) {
  onConfig(settings);
  on("get", "/productCategory", { body: [{ ...apple }] });
  const view = renderScreen(<AddProduct />, { me: salma, at: "/dashboard/addProduct" });
  await screen.findByRole("option", { name: "Apple" });
  return view;
}

async function fillForm(user: Awaited<ReturnType<typeof renderForm>>["user"]) {
  await user.type(screen.getByLabelText("Name"), "iPhone 6");
  await user.selectOptions(screen.getByLabelText("Brand"), "Apple");
  await user.type(screen.getByLabelText("Original Price"), "649");
  await user.type(screen.getByLabelText("Resale Price"), "180");
  await user.selectOptions(screen.getByLabelText("Condition"), "Good");
  await user.type(screen.getByLabelText("Used Time"), "2 years");
  await user.type(screen.getByLabelText("Description"), "No scratches");
  await user.type(screen.getByLabelText("Location"), "Dhaka");
  await user.type(screen.getByLabelText("Phone"), "01711");
  await user.upload(screen.getByLabelText("Image"), photo);
}

const submitButton = () => screen.getByRole("button", { name: "Add Product" });

describe("the form", () => {
  it("has controls with the names of the payload", async () => {
    await renderForm();
    const names: Record<string, string> = {
      Name: "name",
      Brand: "brand",
      "Original Price": "originalPrice",
      "Resale Price": "resalePrice",
      Condition: "productCondition",
      "Used Time": "usedTime",
      Description: "description",
      "Seller Name": "sellerName",
      Email: "email",
      Location: "location",
      Phone: "phone",
      Date: "selling_post_date",
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

it("the focus moves from Stop to the photo's Remove button when the upload ends", async () => {
  let finish = () => {};
  const response = new Promise<void>((resolve) => {
    finish = resolve;
  });
  server.use(
    http.post("http://localhost:8080/images", async () => {
      await response;
      return HttpResponse.json(uploaded);
    }),
  );
  const { user } = await renderForm();
  await user.upload(screen.getByLabelText("Image"), photo);
  (await screen.findByRole("button", { name: "Stop uploading photo 1" })).focus();
  finish();
  await screen.findByText("Uploaded");
  expect(screen.getByRole("button", { name: "Remove photo 1" })).toHaveFocus();
});

describe("adding a phone", () => {
  it("sends the photo, then the phone, shows a toast and leads to My Products", async () => {
    const got = onImageHost("http://localhost:8080/images", uploaded);
    on("post", "/products", { body: { acknowledged: true, insertedId: "p1" } });
    const { user } = await renderForm();
    await fillForm(user);
    await user.click(submitButton());
    expect(await screen.findByText("Product Added Successfully")).toBeVisible();
    await waitFor(() =>
      expect(screen.getByTestId("current-path")).toHaveTextContent("/dashboard/myProducts"),
    );
    expect(got).toMatchObject([{ key: "k-123", authorization: "Bearer test-token" }]);
    expect(got[0]?.type).toMatch(/^multipart\/form-data/);
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
        sellerName: "Salma Rahman",
        email: "salma@example.com",
        location: "Dhaka",
        phone: "01711",
        selling_post_date: today(),
      },
    ]);
  });

  it("sends no bearer token to an image host of another origin", async () => {
    const got = onImageHost("https://images.example.com/1/upload", uploaded);
    on("post", "/products", { body: { acknowledged: true } });
    const { user } = await renderForm({
      imageHost: { url: "https://images.example.com/1/upload", key: "secret" },
    });
    await fillForm(user);
    await user.click(submitButton());
    await waitFor(() => expect(got).toMatchObject([{ key: "secret", authorization: null }]));
  });

  it("shows an error in the form, keeps the values and uploads the photo only once", async () => {
    const got = onImageHost("http://localhost:8080/images", uploaded);
    onNetworkError("post", "/products");
    const { user } = await renderForm();
    await fillForm(user);
    await user.click(submitButton());
    expect(await screen.findByText(/can't be reached/)).toBeVisible();
    expect(screen.getByLabelText("Name")).toHaveValue("iPhone 6");
    on("post", "/products", { body: { acknowledged: true } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Product Added Successfully")).toBeVisible();
    expect(got).toHaveLength(1);
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
    const fields = { resalePrice: "must be lower", id: "is not a brand we know", sellerName: "is not yours" };
    on("post", "/products", errorResponse(422, "Some fields need another look", fields));
    const { user } = await renderForm();
    await fillForm(user);
    await user.click(submitButton());
    expect(await screen.findByText("must be lower")).toBeVisible();
    expect(screen.getByLabelText("Resale Price")).toBeInvalid();
    expect(screen.getByLabelText("Brand")).toBeInvalid();
    expect(screen.getByText(/sellerName: is not yours/)).toBeVisible();
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

describe("photos", () => {
  const file = (name: string) => new File([name], name, { type: "image/jpeg" });
  const rows = () =>
    within(screen.getByRole("list", { name: "Chosen photos" }))
      .getAllByRole("listitem")
      .map((row) => row.querySelector("p > span")?.textContent);
  /** Sets responses of the image host with a new URL for each upload, in the order of arrival. */
  const onUploads = () => {
    let count = 0;
    server.use(
      http.post("http://localhost:8080/images", () => {
        count += 1;
        return HttpResponse.json({ success: true, data: { url: `/images/${count}.webp` } });
      }),
    );
  };

  beforeEach(onUploads);

  it("can be added several at a time, reordered and removed", async () => {
    const { user } = await renderForm();
    await user.upload(screen.getByLabelText("Image"), [file("a.jpg"), file("b.jpg")]);
    await user.upload(screen.getByLabelText("Image"), file("c.jpg"));
    expect(rows()).toEqual(["a.jpg", "b.jpg", "c.jpg"]);
    await user.click(screen.getByRole("button", { name: "Move photo 3 forward" }));
    expect(rows()).toEqual(["a.jpg", "c.jpg", "b.jpg"]);
    await user.click(screen.getByRole("button", { name: "Move photo 1 back" }));
    expect(rows()).toEqual(["c.jpg", "a.jpg", "b.jpg"]);
    await waitFor(() => expect(screen.getByRole("button", { name: "Move photo 1 back" })).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Remove photo 2" }));
    expect(rows()).toEqual(["c.jpg", "b.jpg"]);
    expect(screen.getByLabelText("Image")).toHaveFocus();
  });

  it("are sent in their order with their descriptions; the first one is img", async () => {
    on("post", "/products", { body: { acknowledged: true, insertedId: "p1" } });
    const { user } = await renderForm();
    await fillForm(user);
    await user.upload(screen.getByLabelText("Image"), file("b.jpg"));
    await user.type(screen.getByLabelText("What photo 2 shows"), " The back ");
    await user.click(submitButton());
    await screen.findByText("Product Added Successfully");
    expect(callsTo("POST", "/products")[0]?.body).toMatchObject({
      img: "/images/1.webp",
      photos: [
        { url: "/images/1.webp", alt: "" },
        { url: "/images/2.webp", alt: "The back" },
      ],
    });
  });

  it("are limited to eight", async () => {
    const { user } = await renderForm();
    const many = Array.from({ length: 10 }, (_, n) => file(`${n}.jpg`));
    await user.upload(screen.getByLabelText("Image"), many);
    expect(rows()).toHaveLength(8);
    expect(screen.getByText("A phone has up to 8 photos: 2 not added")).toBeVisible();
  });

  it("that were rejected are replaced by the next selection", async () => {
    onImageHost("http://localhost:8080/images", { success: false, error: { message: "No image" } }, 422);
    const { user } = await renderForm();
    await fillForm(user);
    await user.click(submitButton());
    expect(await screen.findByText("Not accepted")).toBeVisible();
    await user.upload(screen.getByLabelText("Image"), file("better.jpg"));
    expect(rows()).toEqual(["better.jpg"]);
  });

  it("can be dropped on the form", async () => {
    await renderForm();
    const dropped = createEvent.drop(screen.getByLabelText("Image"));
    Object.assign(dropped, { dataTransfer: { files: [file("dropped.jpg")] } });
    fireEvent(screen.getByLabelText("Image"), dropped);
    expect(rows()).toEqual(["dropped.jpg"]);
  });

  it("can be pasted anywhere on the screen", async () => {
    await renderForm();
    const pasted = createEvent.paste(screen.getByLabelText("Description"));
    Object.assign(pasted, { clipboardData: { files: [file("pasted.png")] } });
    fireEvent(screen.getByLabelText("Description"), pasted);
    expect(rows()).toEqual(["pasted.png"]);
  });

  it("are checked before they are sent", async () => {
    const { user } = await renderForm();
    const heic = new File(["x"], "a.heic", { type: "image/heic" });
    const large = file("b.jpg");
    Object.defineProperty(large, "size", { value: 11_000_000 });
    fireEvent.change(screen.getByLabelText("Image"), { target: { files: [heic, large] } });
    expect(await screen.findByText(/^It is not a JPEG, PNG or WebP/)).toBeVisible();
    expect(screen.getByText(/^It is larger than 10 MB/)).toBeVisible();
    await fillForm(user);
    expect(rows()).toEqual(["phone.jpg"]);
  });

  it("that failed are uploaded again when the browser is online, and the phone is not sent before", async () => {
    onNetworkError("post", "/images");
    on("post", "/products", { body: { acknowledged: true, insertedId: "p1" } });
    const { user } = await renderForm();
    await fillForm(user);
    expect(await screen.findByText(/^The connection was lost/)).toBeVisible();
    await user.click(submitButton());
    expect(await screen.findByText(/^1 photo has not been uploaded/)).toBeVisible();
    expect(screen.getByLabelText("Image")).toHaveFocus();
    onNetworkError("post", "/images");
    await user.click(screen.getByRole("button", { name: "Upload photo 1 again" }));
    expect(await screen.findByText(/^The connection was lost/)).toBeVisible();
    expect(callsTo("POST", "/products")).toHaveLength(0);
    onUploads();
    window.dispatchEvent(new Event("online"));
    expect(await screen.findByText("Uploaded")).toBeVisible();
    await user.click(submitButton());
    expect(await screen.findByText("Product Added Successfully")).toBeVisible();
  });
});

describe("a draft", () => {
  it("is restored after a reload with its uploaded photos, and deleted after the phone is listed", async () => {
    onImageHost("http://localhost:8080/images", uploaded);
    on("post", "/products", { body: { acknowledged: true, insertedId: "p1" } });
    const before = await renderForm();
    await fillForm(before.user);
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
  it.each(["1", "100000", 250])("%s is valid", (price) => {
    expect(checkPrice(price)).toBe(true);
  });
  it.each(["0", "-5", "1.5", "100001", "abc"])("%s is invalid", (price) => {
    expect(checkPrice(price)).toMatch(/whole number of dollars/);
  });
});
