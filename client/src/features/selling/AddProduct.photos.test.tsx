import { createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { fillForm, onImageHost, photo, renderForm, submitButton, uploaded } from "@/testing/addProductForm";
import { createDeferred } from "@/testing/deferred";
import { callsTo, on, onNetworkError, server, startServer } from "@/testing/server";

startServer();

it("the focus moves from Stop to the photo's Remove button when the upload ends", async () => {
  const upload = createDeferred();
  server.use(
    http.post("http://localhost:8080/images", async () => {
      await upload.promise;
      return HttpResponse.json(uploaded);
    }),
  );
  const { user } = await renderForm();
  await user.upload(screen.getByLabelText("Image"), photo);
  (await screen.findByRole("button", { name: "Stop uploading photo 1" })).focus();
  upload.resolve();
  await screen.findByText("Uploaded");
  expect(screen.getByRole("button", { name: "Remove photo 1" })).toHaveFocus();
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
    await waitFor(() => expect(screen.getByLabelText("Image")).toHaveFocus());
  });

  it("can become the cover with one press, and the focus stays", async () => {
    const { user } = await renderForm();
    await user.upload(screen.getByLabelText("Image"), [file("a.jpg"), file("b.jpg"), file("c.jpg")]);
    await user.click(screen.getByRole("button", { name: "Make photo 3 the cover" }));
    expect(rows()).toEqual(["c.jpg", "a.jpg", "b.jpg"]);
    await waitFor(() => expect(screen.getByRole("button", { name: "Make photo 1 the cover" })).toHaveFocus());
  });

  it("can be taken with the camera", async () => {
    const { container } = await renderForm();
    const camera = container.querySelector("input[capture]") as HTMLInputElement;
    expect(camera).not.toHaveAttribute("name");
    fireEvent.change(camera, { target: { files: [file("taken.jpg")] } });
    expect(rows()).toEqual(["taken.jpg"]);
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
    expect(await screen.findByText(/^This browser cannot read HEIC photographs/)).toBeVisible();
    expect(await screen.findByText(/^It is larger than 10 MB/)).toBeVisible();
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
    await waitFor(() => expect(screen.getByLabelText("Image")).toHaveFocus());
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
