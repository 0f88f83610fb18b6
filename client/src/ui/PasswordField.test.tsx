import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { PasswordField } from "@/ui";

test("a password is shown while the button in its field is pressed", async () => {
  render(<PasswordField label="Password" />);
  const button = screen.getByRole("button", { name: "Show password" });
  const field = screen.getByLabelText("Password");
  expect(field).toHaveAttribute("type", "password");
  expect(button).toHaveAttribute("aria-pressed", "false");
  await userEvent.click(button);
  expect(field).toHaveAttribute("type", "text");
  expect(button).toHaveAttribute("aria-pressed", "true");
  await userEvent.click(button);
  expect(field).toHaveAttribute("type", "password");
});
