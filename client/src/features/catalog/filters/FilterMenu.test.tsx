import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { FilterMenu } from "./FilterMenu";

function renderMenu() {
  render(
    <>
      <FilterMenu label="Price" isSet={false}>
        <input aria-label="Price from" />
      </FilterMenu>
      <button type="button">Next</button>
      <p>Results</p>
    </>,
  );
  return { user: userEvent.setup(), button: screen.getByRole("button", { name: "Price" }) };
}

const field = () => screen.queryByRole("textbox");

test("the button opens and closes the panel, which is a group with the same name", async () => {
  const { user, button } = renderMenu();
  expect(button).toHaveAttribute("aria-expanded", "false");
  expect(field()).toBeNull();
  await user.click(button);
  expect(button).toHaveAttribute("aria-expanded", "true");
  expect(screen.getByRole("group", { name: "Price" })).toContainElement(field());
  await user.click(button);
  expect(field()).toBeNull();
});

test("Escape closes the panel and returns the focus to the button", async () => {
  const { user, button } = renderMenu();
  await user.click(button);
  await user.click(screen.getByRole("textbox"));
  await user.keyboard("{Escape}");
  expect(field()).toBeNull();
  expect(button).toHaveFocus();
});

test("a click outside and Tab close the panel", async () => {
  const { user, button } = renderMenu();
  await user.click(button);
  await user.click(screen.getByText("Results"));
  expect(field()).toBeNull();
  await user.click(button);
  await user.tab();
  expect(field()).toHaveFocus();
  await user.tab();
  expect(screen.getByRole("button", { name: "Next" })).toHaveFocus();
  expect(field()).toBeNull();
});
