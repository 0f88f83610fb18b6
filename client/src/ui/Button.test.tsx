import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { FormEvent } from "react";
import { expect, test, vi } from "vitest";
import { Button, IconButton } from "@/ui";

function renderForm(...buttons: React.ReactNode[]) {
  const onSubmit = vi.fn((event: FormEvent) => event.preventDefault());
  render(<form onSubmit={onSubmit}>{buttons}</form>);
  return { onSubmit, user: userEvent.setup() };
}

test("only a button of type submit submits its form", async () => {
  const { onSubmit, user } = renderForm(
    <Button key="a">Preview</Button>,
    <IconButton key="b" label="Remove" />,
    <Button key="c" type="submit">
      Send
    </Button>,
  );
  await user.click(screen.getByRole("button", { name: "Preview" }));
  await user.click(screen.getByRole("button", { name: "Remove" }));
  expect(onSubmit).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(onSubmit).toHaveBeenCalledOnce();
});

test("a busy button keeps its label, has aria-busy and is disabled", async () => {
  const onClick = vi.fn();
  const payButton = (busy: boolean) => (
    <Button busy={busy} onClick={onClick}>
      Pay
    </Button>
  );
  const { rerender } = render(payButton(true));
  const button = screen.getByRole("button", { name: "Pay" });
  expect(button).toBeDisabled();
  expect(button).toHaveAttribute("aria-busy", "true");
  await userEvent.click(button);
  expect(onClick).not.toHaveBeenCalled();
  rerender(payButton(false));
  expect(button).toBeEnabled();
  expect(button).not.toHaveAttribute("aria-busy");
});

test("a disabled button stays disabled when it is not busy", () => {
  render(
    <Button disabled busy={false}>
      Pay
    </Button>,
  );
  expect(screen.getByRole("button", { name: "Pay" })).toBeDisabled();
});

test("an icon button has an accessible name and the same tooltip", () => {
  render(
    <IconButton label="Dismiss">
      <svg aria-hidden="true" />
    </IconButton>,
  );
  expect(screen.getByRole("button", { name: "Dismiss" })).toHaveAttribute("title", "Dismiss");
});
