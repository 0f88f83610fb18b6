import { screen } from "@testing-library/react";
import { useLocation } from "react-router-dom";
import { expect, test } from "vitest";
import { renderScreen } from "@/testing/serverScreen";
import { NavSearch } from "./NavSearch";

function Here() {
  const { pathname, search, state } = useLocation();
  return (
    <output data-testid="here">
      {pathname + search} {JSON.stringify(state)}
    </output>
  );
}

function show(at: string) {
  const screens = (
    <>
      <NavSearch />
      <Here />
      <input aria-label="Another field" />
    </>
  );
  return renderScreen(screens, { at });
}

const here = () => screen.getByTestId("here").textContent;

test("searches for the typed words, and for everything without words", async () => {
  const { user } = show("/blog");
  const field = screen.getByRole("searchbox", { name: "Search all phones" });
  await user.type(field, " red fox& {Enter}");
  expect(here()).toBe("/search?q=red+fox%26 null");
  expect(field).toHaveValue("");
  await user.type(field, "{Enter}");
  expect(here()).toBe("/search null");
});

test("the key / focuses the search, but not while the user is typing", async () => {
  const { user } = show("/blog");
  await user.type(screen.getByLabelText("Another field"), "1/2");
  expect(screen.getByLabelText("Another field")).toHaveValue("1/2");
  expect(here()).toBe("/blog null");
  await user.click(document.body);
  await user.keyboard("/");
  // Nothing is laid out here, so the field counts as hidden, as on a phone.
  expect(here()).toBe('/search {"focus":true}');
});

test("on the search screen it focuses that screen's field, and keeps the search", async () => {
  const { user } = show("/search?q=fox");
  await user.click(screen.getByRole("link", { name: "Search all phones" }));
  expect(here()).toBe('/search?q=fox {"focus":true}');
});
