import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Product } from "@/api/types";
import { savingPercent } from "@/lib/savingPercent";
import { aProduct } from "@/testing/factories";
import { renderScreen } from "@/testing/serverScreen";
import { calendarDay } from "@/texts/dates";
import { dollars } from "@/texts/money";
import { ProductCard } from "./ProductCard";

function renderCard(product: Product) {
  const onBookOrWait = vi.fn();
  const onReport = vi.fn();
  const { user } = renderScreen(
    <ProductCard product={product} eager={false} onBookOrWait={onBookOrWait} onReport={onReport} />,
  );
  return { onBookOrWait, onReport, user };
}

test("a card shows the fields that the specification lists, and the saving", () => {
  renderCard(aProduct({ originalPrice: 1249, resalePrice: 812, colour: "Midnight" }));
  const card = screen.getByRole("article", { name: "iPhone 6" });
  for (const text of [
    "Apple",
    "$1,249",
    "$812",
    "Save 34%",
    "Midnight",
    "2 years",
    "Good",
    "Salma Rahman",
    "Verified",
    "+880 1711 000000",
    "Dhaka",
    "2 Nov 2026",
  ]) {
    expect(card).toHaveTextContent(text);
  }
  expect(screen.getByRole("img", { name: "Photo of iPhone 6" })).toHaveAttribute("loading", "lazy");
});

test.each([
  [{ delivers: "both", postage: 12 }, "Meet, or sent for $12"],
  [{ delivers: "both", postage: 0 }, "Meet, or sent free of charge"],
  [{ delivers: "send", postage: 12 }, "Sent for $12"],
  [{ delivers: "meet", postage: 12 }, "Meet in person"],
] as const)("a card says how the phone is delivered: %o", (offer, text) => {
  renderCard(aProduct(offer));
  expect(screen.getByText(text, { selector: "dd" })).toBeVisible();
});

test("the badge of a verified seller has an explanation", () => {
  renderCard(aProduct());
  expect(screen.getByTitle("Checked by SecondRing")).toHaveTextContent("Verified");
});

test("a seller who is not verified has no badge", () => {
  renderCard(aProduct({ verified: false }));
  expect(screen.queryByText("Verified")).toBeNull();
});

test("an available phone can be booked and reported", async () => {
  const product = aProduct();
  const { onBookOrWait, onReport, user } = renderCard(product);
  expect(screen.queryByText("Booked")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Book Now" }));
  expect(onBookOrWait).toHaveBeenCalledWith(product);
  await user.click(screen.getByRole("button", { name: "Report To Admin" }));
  expect(onReport).toHaveBeenCalledWith(product);
});

test("a booked phone has a label instead of the button and a mark on its photo, and can be reported", () => {
  renderCard(aProduct({ booked: true }));
  expect(screen.getByText("Booked")).toBeVisible();
  expect(screen.getByText("On hold")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Book Now" })).toBeNull();
  expect(screen.getByRole("button", { name: "Report To Admin" })).toBeEnabled();
});

test("a paid phone is marked as sold on its photo", () => {
  renderCard(aProduct({ booked: true, sold: true }));
  expect(screen.getByText("Sold")).toBeVisible();
});

test("name and photo link to the phone's page, also for a booked phone", () => {
  const product = aProduct({ booked: true });
  renderCard(product);
  for (const name of ["iPhone 6", "Photo of iPhone 6"]) {
    expect(screen.getByRole("link", { name })).toHaveAttribute("href", `/phone/${product._id}`);
  }
});

test("the photo has srcset, width, height and its own alternative text", () => {
  const photo = {
    url: "/images/a.jpg",
    alt: "The back, with one scratch",
    srcset: "/images/a-320.webp 320w, /images/a-640.webp 640w",
    width: 1200,
    height: 1600,
    blur: "data:image/webp;base64,AAAA",
  };
  renderCard(aProduct({ photos: [photo] }));
  const picture = screen.getByRole("img", { name: photo.alt });
  expect(picture).toHaveAttribute("srcset", photo.srcset);
  expect(picture).toHaveAttribute("sizes", expect.stringContaining("92vw"));
  expect(picture).toHaveAttribute("width", "1200");
  expect(picture).toHaveAttribute("height", "1600");
  expect(picture.style.backgroundImage).toContain(photo.blur);
  fireEvent.load(picture);
  expect(picture.style.backgroundImage).toBe("");
});

test("prices, dates and savings are formatted", () => {
  expect(dollars(100_000)).toBe("$100,000");
  expect(calendarDay("2026-01-31")).toBe("31 Jan 2026");
  expect(calendarDay("someday")).toBe("someday");
  expect(savingPercent(200, 150)).toBe(25);
  expect(savingPercent(200, 199)).toBe(0);
  expect(savingPercent(150, 200)).toBe(0);
});
