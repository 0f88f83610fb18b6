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

const photo = new File(["not looked at"], "phone.jpg", { type: "image/jpeg" });

/** An image host of this answer; gives back what it was sent. */
function imageHost(url: string, answer: object, status = 200) {
  const got: { key: string | null; authorization: string | null; type: string | null }[] = [];
  server.use(
    http.post(url, ({ request }) => {
      got.push({
        key: new URL(request.url).searchParams.get("key"),
        authorization: request.headers.get("authorization"),
        type: request.headers.get("content-type"),
      });
      return HttpResponse.json(answer, { status });
    }),
  );
  return got;
}

const stored = { success: true, data: { url: "/images/abc.webp" } };

async function open(settings: Partial<Config> = {}) {
  onConfig(settings);
  on("get", "/productCategory", { body: [{ ...apple }] });
  const view = renderScreen(<AddProduct />, { me: salma, at: "/dashboard/addProduct" });
  await screen.findByRole("option", { name: "Apple" });
  return view;
}

async function fill(user: Awaited<ReturnType<typeof open>>["user"]) {
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

const press = () => screen.getByRole("button", { name: "Add Product" });

describe("the form", () => {
  it("names its controls as the payload does", async () => {
    await open();
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

  it("knows the seller, today and the three conditions", async () => {
    await open();
    expect(screen.getByLabelText("Seller Name")).toHaveValue("Salma Rahman");
    expect(screen.getByLabelText("Email")).toHaveValue("salma@example.com");
    expect(screen.getByLabelText("Date")).toHaveValue(today());
    const options = [...screen.getByLabelText<HTMLSelectElement>("Condition").options].map(
      ({ text }) => text,
    );
    expect(options.slice(1)).toEqual(["Excellent", "Good", "Fair"]);
  });

  it("requires every field", async () => {
    const { user } = await open();
    await user.clear(screen.getByLabelText("Date"));
    await user.click(press());
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

it("moves the focus from Stop to the photo's Remove button when the upload ends", async () => {
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  server.use(
    http.post("http://localhost:8080/images", async () => {
      await held;
      return HttpResponse.json(stored);
    }),
  );
  const { user } = await open();
  await user.upload(screen.getByLabelText("Image"), photo);
  (await screen.findByRole("button", { name: "Stop uploading photo 1" })).focus();
  finish();
  await screen.findByText("Uploaded");
  expect(screen.getByRole("button", { name: "Remove photo 1" })).toHaveFocus();
});

describe("adding", () => {
  it("posts the photo, then the phone, says so and goes to My Products", async () => {
    const got = imageHost("http://localhost:8080/images", stored);
    on("post", "/products", { body: { acknowledged: true, insertedId: "p1" } });
    const { user } = await open();
    await fill(user);
    await user.click(press());
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

  it("sends no bearer to a foreign image host", async () => {
    const got = imageHost("https://images.example.com/1/upload", stored);
    on("post", "/products", { body: { acknowledged: true } });
    const { user } = await open({ imageHost: { url: "https://images.example.com/1/upload", key: "secret" } });
    await fill(user);
    await user.click(press());
    await waitFor(() => expect(got).toMatchObject([{ key: "secret", authorization: null }]));
  });

  it("shows a failed add in place, keeps what was typed and sends the photo only once", async () => {
    const got = imageHost("http://localhost:8080/images", stored);
    onNetworkError("post", "/products");
    const { user } = await open();
    await fill(user);
    await user.click(press());
    expect(await screen.findByText(/can't be reached/)).toBeVisible();
    expect(screen.getByLabelText("Name")).toHaveValue("iPhone 6");
    on("post", "/products", { body: { acknowledged: true } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Product Added Successfully")).toBeVisible();
    expect(got).toHaveLength(1);
  });

  it("shows why the photo was refused", async () => {
    imageHost(
      "http://localhost:8080/images",
      { success: false, error: { message: "This is not an image we know" } },
      422,
    );
    const { user } = await open();
    await fill(user);
    await user.click(press());
    expect(await screen.findByText("This is not an image we know")).toBeVisible();
    expect(callsTo("POST", "/products")).toHaveLength(0);
  });

  it("puts what the server says of a field beside it, and of the others in the message", async () => {
    imageHost("http://localhost:8080/images", stored);
    const fields = { resalePrice: "must be lower", id: "is not a brand we know", sellerName: "is not yours" };
    on("post", "/products", errorResponse(422, "Some fields need another look", fields));
    const { user } = await open();
    await fill(user);
    await user.click(press());
    expect(await screen.findByText("must be lower")).toBeVisible();
    expect(screen.getByLabelText("Resale Price")).toBeInvalid();
    expect(screen.getByLabelText("Brand")).toBeInvalid();
    expect(screen.getByText(/sellerName: is not yours/)).toBeVisible();
  });

  it("shows that the brands can't be loaded, and asks again", async () => {
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
  /** An image host that gives each upload an address of its own, in the order of their arrival. */
  const counting = () => {
    let count = 0;
    server.use(
      http.post("http://localhost:8080/images", () => {
        count += 1;
        return HttpResponse.json({ success: true, data: { url: `/images/${count}.webp` } });
      }),
    );
  };

  beforeEach(counting);

  it("come several at a time and in several goes, can be put in order, described and removed", async () => {
    const { user } = await open();
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

  it("are all sent in their order with their words; the first is img", async () => {
    on("post", "/products", { body: { acknowledged: true, insertedId: "p1" } });
    const { user } = await open();
    await fill(user);
    await user.upload(screen.getByLabelText("Image"), file("b.jpg"));
    await user.type(screen.getByLabelText("What photo 2 shows"), " The back ");
    await user.click(press());
    await screen.findByText("Product Added Successfully");
    expect(callsTo("POST", "/products")[0]?.body).toMatchObject({
      img: "/images/1.webp",
      photos: [
        { url: "/images/1.webp", alt: "" },
        { url: "/images/2.webp", alt: "The back" },
      ],
    });
  });

  it("are eight at most", async () => {
    const { user } = await open();
    const many = Array.from({ length: 10 }, (_, n) => file(`${n}.jpg`));
    await user.upload(screen.getByLabelText("Image"), many);
    expect(rows()).toHaveLength(8);
    expect(screen.getByText("A phone has up to 8 photos: 2 not added")).toBeVisible();
  });

  it("that were refused give way to the next choice", async () => {
    imageHost("http://localhost:8080/images", { success: false, error: { message: "No image" } }, 422);
    const { user } = await open();
    await fill(user);
    await user.click(press());
    expect(await screen.findByText("Not accepted")).toBeVisible();
    await user.upload(screen.getByLabelText("Image"), file("better.jpg"));
    expect(rows()).toEqual(["better.jpg"]);
  });

  it("can be dropped on the form", async () => {
    await open();
    const dropped = createEvent.drop(screen.getByLabelText("Image"));
    Object.assign(dropped, { dataTransfer: { files: [file("dropped.jpg")] } });
    fireEvent(screen.getByLabelText("Image"), dropped);
    expect(rows()).toEqual(["dropped.jpg"]);
  });

  it("can be pasted wherever the focus is", async () => {
    await open();
    const pasted = createEvent.paste(screen.getByLabelText("Description"));
    Object.assign(pasted, { clipboardData: { files: [file("pasted.png")] } });
    fireEvent(screen.getByLabelText("Description"), pasted);
    expect(rows()).toEqual(["pasted.png"]);
  });

  it("are looked at before they are sent", async () => {
    const { user } = await open();
    const heic = new File(["x"], "a.heic", { type: "image/heic" });
    const large = file("b.jpg");
    Object.defineProperty(large, "size", { value: 11_000_000 });
    fireEvent.change(screen.getByLabelText("Image"), { target: { files: [heic, large] } });
    expect(await screen.findByText(/^It is not a JPEG, PNG or WebP/)).toBeVisible();
    expect(screen.getByText(/^It is larger than 10 MB/)).toBeVisible();
    await fill(user);
    expect(rows()).toEqual(["phone.jpg"]);
  });

  it("that did not get there are sent again by themselves, and hold the phone back until then", async () => {
    onNetworkError("post", "/images");
    on("post", "/products", { body: { acknowledged: true, insertedId: "p1" } });
    const { user } = await open();
    await fill(user);
    expect(await screen.findByText(/^The connection was lost/)).toBeVisible();
    await user.click(press());
    expect(await screen.findByText(/^1 photo has not been uploaded/)).toBeVisible();
    expect(screen.getByLabelText("Image")).toHaveFocus();
    onNetworkError("post", "/images");
    await user.click(screen.getByRole("button", { name: "Upload photo 1 again" }));
    expect(await screen.findByText(/^The connection was lost/)).toBeVisible();
    expect(callsTo("POST", "/products")).toHaveLength(0);
    counting();
    window.dispatchEvent(new Event("online"));
    expect(await screen.findByText("Uploaded")).toBeVisible();
    await user.click(press());
    expect(await screen.findByText("Product Added Successfully")).toBeVisible();
  });
});

describe("a draft", () => {
  it("is there again after a reload, photos that had arrived too, and gone once the phone is listed", async () => {
    imageHost("http://localhost:8080/images", stored);
    on("post", "/products", { body: { acknowledged: true, insertedId: "p1" } });
    const before = await open();
    await fill(before.user);
    await screen.findByText("Uploaded");
    before.unmount();
    const { user } = await open();
    expect(screen.getByText("Your draft has been restored.")).toBeVisible();
    expect(screen.getByLabelText("Name")).toHaveValue("iPhone 6");
    expect(screen.getByLabelText("Brand")).toHaveValue("Apple");
    await user.click(press());
    expect(await screen.findByText("Product Added Successfully")).toBeVisible();
    expect(callsTo("POST", "/products")[0]?.body).toMatchObject({
      img: "/images/abc.webp",
      resalePrice: 180,
    });
    expect(sessionStorage.getItem("formDraft")).toBeNull();
  });

  it("can be thrown away, and is nobody else's", async () => {
    const before = await open();
    await before.user.type(screen.getByLabelText("Name"), "iPhone 6");
    before.unmount();
    on("get", "/productCategory", { body: [{ ...apple }] });
    const other = renderScreen(<AddProduct />, { me: { ...salma, uid: "u-other" } });
    expect(screen.getByLabelText("Name")).toHaveValue("");
    other.unmount();
    sessionStorage.clear();
    const again = await open();
    await again.user.type(screen.getByLabelText("Name"), "Nexus 5");
    again.unmount();
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Start over" }));
    expect(screen.getByLabelText("Name")).toHaveValue("");
    expect(sessionStorage.getItem("formDraft")).toBeNull();
  });
});

it("shows what the two prices come to for buyers", async () => {
  const { user } = await open();
  expect(screen.getByText(/^Enter both prices/)).toBeVisible();
  await user.type(screen.getByLabelText("Original Price"), "649");
  await user.type(screen.getByLabelText("Resale Price"), "180");
  expect(screen.getByText("Buyers see: save $469, 72% less than new")).toBeVisible();
  await user.type(screen.getByLabelText("Resale Price"), "0");
  expect(screen.getByText(/^Buyers see no saving/)).toBeVisible();
});

describe("a price", () => {
  it.each(["1", "100000", 250])("%s is one", (price) => {
    expect(checkPrice(price)).toBe(true);
  });
  it.each(["0", "-5", "1.5", "100001", "abc"])("%s is none", (price) => {
    expect(checkPrice(price)).toMatch(/whole number of dollars/);
  });
});
