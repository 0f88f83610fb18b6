import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { expect, test } from "vitest";
import { Field, FileField, Select, Textarea } from "@/ui";

const words = { label: "What it is", hint: "In your words", error: "It is required" };

const controls: Record<string, (more: Partial<typeof words>) => ReactElement> = {
  Field: (more) => <Field label={words.label} name="what" {...more} />,
  Textarea: (more) => <Textarea label={words.label} name="what" {...more} />,
  FileField: (more) => <FileField label={words.label} name="what" {...more} />,
  Select: (more) => (
    <Select label={words.label} name="what" {...more}>
      <option>Good</option>
    </Select>
  ),
};

test.each(Object.entries(controls))("the %s is connected with its label, hint and error", (_, control) => {
  const { rerender } = render(control({ hint: words.hint }));
  const named = screen.getByLabelText(words.label);
  expect(named).toHaveAttribute("name", "what");
  expect(named).toBeValid();
  expect(named).toHaveAccessibleDescription(words.hint);

  rerender(control({ hint: words.hint, error: words.error }));
  expect(screen.getByLabelText(words.label)).toBe(named);
  expect(named).toBeInvalid();
  expect(named).toHaveAccessibleDescription(`${words.hint} ${words.error}`);
  expect(screen.getByRole("alert")).toHaveTextContent(words.error);

  rerender(control({}));
  expect(named).toBeValid();
  expect(named).not.toHaveAttribute("aria-describedby");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("two fields with the same name have separate errors", () => {
  render(
    <>
      <Field label="First" name="phone" error="First is wrong" />
      <Field label="Second" name="phone" error="Second is wrong" />
    </>,
  );
  expect(screen.getByLabelText("First")).toHaveAccessibleDescription("First is wrong");
  expect(screen.getByLabelText("Second")).toHaveAccessibleDescription("Second is wrong");
});

test("a click on the label focuses the control, also with a given id", async () => {
  render(<Field label="Email" id="mine" type="email" error="Not an address" />);
  await userEvent.click(screen.getByText("Email"));
  const field = screen.getByRole("textbox", { name: "Email" });
  expect(field).toHaveFocus();
  expect(field).toHaveAttribute("id", "mine");
  expect(field).toHaveAttribute("type", "email");
  expect(field).toHaveAccessibleDescription("Not an address");
});
