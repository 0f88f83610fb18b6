import { screen } from "@testing-library/react";
import { useLocation } from "react-router-dom";
import { expect, test } from "vitest";
import { renderScreen } from "@/testing/serverScreen";
import { NavSearch } from "./NavSearch";

function CurrentLocation() {
  const { pathname, search, state } = useLocation();
  return (
    <output data-testid="location">
      {pathname + search} {JSON.stringify(state)}
    </output>
  );
}

function renderNavSearch(at: string) {
  const screens = (
    <>
      <NavSearch />
      <CurrentLocation />
      <input aria-label="Another field" />
    </>
  );
  return renderScreen(screens, { at });
}

const location = () => screen.getByTestId("location").textContent;

test("the search of the navigation bar opens the results, also without words", async () => {
  const { user } = renderNavSearch("/blog");
  const field = screen.getByRole("searchbox", { name: "Search all phones" });
  await user.type(field, " red fox& {Enter}");
  expect(location()).toBe("/search?q=red+fox%26 null");
  expect(field).toHaveValue("");
  await user.type(field, "{Enter}");
  expect(location()).toBe("/search null");
});

test("the key / focuses the search, but not while the user is typing", async () => {
  const { user } = renderNavSearch("/blog");
  await user.type(screen.getByLabelText("Another field"), "1/2");
  expect(screen.getByLabelText("Another field")).toHaveValue("1/2");
  expect(location()).toBe("/blog null");
  await user.click(document.body);
  await user.keyboard("/");
  // jsdom has no layout, so the field counts as hidden, as on a narrow screen: the search screen is opened instead.
  expect(location()).toBe('/search {"focus":true}');
});

test("the link on the search screen focuses that screen's field, and keeps the search", async () => {
  const { user } = renderNavSearch("/search?q=fox");
  await user.click(screen.getByRole("link", { name: "Search all phones" }));
  expect(location()).toBe('/search?q=fox {"focus":true}');
});
