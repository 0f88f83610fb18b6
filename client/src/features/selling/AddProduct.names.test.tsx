import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderForm } from "@/testing/addProductForm";
import { aProduct, apple } from "@/testing/factories";
import { callsTo, on, startServer } from "@/testing/server";

startServer();

describe("the name of a new phone", () => {
  it("suggests the names of the brand's phones here, and says what the like cost", async () => {
    const listed = [
      aProduct({ name: "iPhone 12", resalePrice: 240 }),
      aProduct({ name: "Apple iPhone 12 128GB", resalePrice: 180 }),
      aProduct({ name: "iPhone 12", resalePrice: 200 }),
      aProduct({ name: "iPhone 12", resalePrice: 50, booked: true }),
      aProduct({ name: "iPhone 12 Pro", resalePrice: 400 }),
      ...[300, 310, 320].map((resalePrice) => aProduct({ name: "iPhone 12", resalePrice, storage: 256 })),
    ];
    const { user, container } = await renderForm({}, { listed });
    await user.selectOptions(screen.getByLabelText("Brand"), "Apple");
    await waitFor(() => expect(container.querySelectorAll("#names-here option")).toHaveLength(3));
    expect(screen.getByLabelText("Name")).toHaveAttribute("list", "names-here");
    await user.type(screen.getByLabelText("Name"), "iphone 12");
    const price = screen.getByLabelText("Resale Price");
    expect(price).toHaveAccessibleDescription("Listed here for $180 to $320 (6 phones)");
    await user.selectOptions(screen.getByLabelText("Storage"), "256");
    expect(price).toHaveAccessibleDescription("Listed here for $300 to $320 (3 phones with 256 GB)");
    await user.type(screen.getByLabelText("Name"), " Pro");
    expect(price).not.toHaveAccessibleDescription();
    expect(callsTo("GET", "/products/search").map(({ url }) => url)).toEqual([
      `/products/search?brand=${apple._id}&limit=200`,
    ]);
  });

  it("chooses the brand that the phones here with the typed name have", async () => {
    const { user } = await renderForm(
      {},
      { listed: [aProduct({ brand: "Apple" }), aProduct({ brand: "Apple" })] },
    );
    await user.type(screen.getByLabelText("Name"), "iPhone 12 128GB");
    await user.tab();
    await waitFor(() => expect(screen.getByLabelText("Brand")).toHaveValue("Apple"));
    expect(callsTo("GET", "/products/search")[0]?.url).toBe("/products/search?q=iPhone+12+128GB&limit=20");
  });

  it("chooses no brand if phones of several have the name, or if words were let go", async () => {
    const { user } = await renderForm();
    const [name, brand] = [screen.getByLabelText("Name"), screen.getByLabelText("Brand")];
    const answers = [
      { body: [aProduct({ brand: "Apple" }), aProduct({ brand: "Nokia" })] },
      { body: [aProduct({ brand: "Apple" })], headers: { "X-Left-Out": "two" } },
      { body: [aProduct({ brand: "Apple" })] },
    ];
    // Without the search for the phones of the brand, once that is chosen.
    const searches = () => callsTo("GET", "/products/search").filter(({ url }) => url.includes("?q="));
    for (const [index, answer] of answers.entries()) {
      expect(brand).toHaveValue("");
      on("get", "/products/search", answer);
      await user.type(name, `${index}`);
      await user.tab();
      await waitFor(() => expect(searches()).toHaveLength(index + 1));
    }
    await waitFor(() => expect(brand).toHaveValue("Apple"));
  });
});
