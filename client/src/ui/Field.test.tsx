import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { expect, test } from "vitest";
import { Field, FileField, Select, Textarea } from "@/ui";

const texts = { label: "Description", hint: "At most 500 characters", error: "Description is required" };

const controls: Record<string, (props: Partial<typeof texts>) => ReactElement> = {
  Field: (props) => <Field label={texts.label} name="description" {...props} />,
  Textarea: (props) => <Textarea label={texts.label} name="description" {...props} />,
  FileField: (props) => <FileField label={texts.label} name="description" {...props} />,
  Select: (props) => (
    <Select label={texts.label} name="description" {...props}>
      <option>Good</option>
    </Select>
  ),
};

test.each(Object.entries(controls))("the %s is connected with its label, hint and error", (_, control) => {
  const { rerender } = render(control({ hint: texts.hint }));
  const element = screen.getByLabelText(texts.label);
  expect(element).toHaveAttribute("name", "description");
  expect(element).toBeValid();
  expect(element).toHaveAccessibleDescription(texts.hint);

  rerender(control({ hint: texts.hint, error: texts.error }));
  expect(screen.getByLabelText(texts.label)).toBe(element);
  expect(element).toBeInvalid();
  expect(element).toHaveAccessibleDescription(`${texts.hint} ${texts.error}`);
  expect(screen.getByRole("alert")).toHaveTextContent(texts.error);

  rerender(control({}));
  expect(element).toBeValid();
  expect(element).not.toHaveAttribute("aria-describedby");
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
  render(<Field label="Email" id="email" type="email" error="Not an address" />);
  await userEvent.click(screen.getByText("Email"));
  const field = screen.getByRole("textbox", { name: "Email" });
  expect(field).toHaveFocus();
  expect(field).toHaveAttribute("id", "email");
  expect(field).toHaveAttribute("type", "email");
  expect(field).toHaveAccessibleDescription("Not an address");
});
