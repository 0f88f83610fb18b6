import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventsReceived } from "@/api/liveActions";
import { anEvent, aProduct } from "@/testing/factories";
import { errorResponse, on, onList, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";
import { FeaturedProducts } from "./FeaturedProducts";

startServer();

const show = () => renderScreen(<FeaturedProducts instead={<p>nothing to show</p>} />);

test("the three newest advertised phones, each in its place for as long as the screen is open", async () => {
  const phones = ["Oldest", "Third", "Second", "First"].map((name) => aProduct({ name, advertise: true }));
  onList("/products/advertised", "advertised", phones);
  const { store } = show();
  await screen.findByText("First");
  const words = () => screen.getAllByRole("link").map((link) => link.textContent);
  expect(words()).toEqual(["First$180", "Second$180", "Third$180"]);
  const second = phones[2];
  act(() => {
    const booked = { ...second, _id: second?._id ?? "", booked: true, version: 2 };
    store.dispatch(eventsReceived([anEvent("advertised", "advertised.changed", booked)]));
  });
  expect(words()).toEqual(["First$180", "SecondUnavailable", "Third$180"]);
});

test("without three phones, or without an answer, something else fills the room", async () => {
  onList("/products/advertised", "advertised", [aProduct({ advertise: true })]);
  const { unmount } = show();
  expect(await screen.findByText("nothing to show")).toBeVisible();
  unmount();
  on("get", "/products/advertised", errorResponse(500, "Internal error"));
  show();
  expect(await screen.findByText("nothing to show")).toBeVisible();
});
