import { screen } from "@testing-library/react";
import { HttpResponse, http, type JsonBodyType } from "msw";
import type { Config, Product } from "@/api/types";
import AddProduct from "@/features/selling/AddProduct";
import { apple, salma } from "./factories";
import { on, onConfig, server } from "./server";
import { renderScreen } from "./serverScreen";

interface FormOptions {
  /** The query of the address. */
  at?: string;
  listed?: Product[];
}

/** A photo to choose. */
export const photo = new File(["content"], "phone.jpg", { type: "image/jpeg" });

/** Sets the response of an image host; returns the requests that it receives. */
export function onImageHost(url: string, body: object, status = 200) {
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

/** The response of the image host to an upload. */
export const uploaded = { success: true, data: { url: "/images/abc.webp" } };

/** Renders Add Product for a seller, and waits for the brands. `listed` are the phones of the brand. */
export async function renderForm(settings: Partial<Config> = {}, { at = "", listed = [] }: FormOptions = {}) {
  onConfig(settings);
  on("get", "/productCategory", { body: [{ ...apple }] });
  on("get", "/products/search", { body: listed as unknown as JsonBodyType });
  const view = renderScreen(<AddProduct />, { me: salma, at: `/dashboard/addProduct${at}` });
  await screen.findByRole("option", { name: "Apple" });
  return view;
}

/** Fills in all fields, with a photo. */
export async function fillForm(user: Awaited<ReturnType<typeof renderForm>>["user"]) {
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

export const submitButton = () => screen.getByRole("button", { name: "Add Product" });
