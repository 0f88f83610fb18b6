import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ThemeSwitch } from "./ThemeSwitch";

test("the theme switch changes and stores the theme, and its label names the other theme", async () => {
  const user = userEvent.setup();
  render(<ThemeSwitch />);
  await user.click(screen.getByRole("button", { name: "Use the dark theme" }));
  expect(document.documentElement.dataset.theme).toBe("dark");
  expect(localStorage.getItem("theme")).toBe("dark");
  await user.click(await screen.findByRole("button", { name: "Use the light theme" }));
  expect(document.documentElement.dataset.theme).toBe("light");
});
