import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { Button, Dialog, Field, ToastProvider, useToast } from "@/ui";

function Page() {
  const [open, setOpen] = useState(false);
  const toast = useToast();
  return (
    <main id="main" tabIndex={-1}>
      <Button onClick={() => setOpen(true)}>Book Now</Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Book this phone">
        <Field label="Phone" name="phone" />
        <Button onClick={() => toast("Already booked", "error")}>Confirm</Button>
      </Dialog>
    </main>
  );
}

async function openDialog() {
  const user = userEvent.setup();
  render(
    <ToastProvider>
      <Page />
    </ToastProvider>,
  );
  await user.click(screen.getByRole("button", { name: "Book Now" }));
  return user;
}

test("the dialog is named by its heading and focuses its first field", async () => {
  await openDialog();
  expect(screen.getByRole("dialog", { name: "Book this phone" })).toBeInTheDocument();
  expect(screen.getByLabelText("Phone")).toHaveFocus();
});

test("the dialog moves the focus before it becomes modal", async () => {
  const focused: unknown[] = [];
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      focused.push(document.activeElement, this.querySelector("[autofocus]"));
      this.open = true;
    },
    close(this: HTMLDialogElement) {
      this.open = false;
    },
  });
  try {
    await openDialog();
    const field = screen.getByLabelText("Phone");
    expect(focused).toEqual([field, field]);
  } finally {
    for (const name of ["showModal", "close"]) Reflect.deleteProperty(HTMLDialogElement.prototype, name);
  }
});

test("Escape closes the inner one of two dialogs first", async () => {
  function Two() {
    const [open, setOpen] = useState(2);
    return (
      <Dialog open={open > 0} onClose={() => setOpen(0)} title="Outer">
        <Button>First</Button>
        <Dialog open={open > 1} onClose={() => setOpen(1)} title="Inner">
          <Button>Second</Button>
        </Dialog>
      </Dialog>
    );
  }
  const user = userEvent.setup();
  render(
    <ToastProvider>
      <Two />
    </ToastProvider>,
  );
  screen.getByRole("button", { name: "Second" }).focus();
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog", { name: "Inner" })).toBeNull();
  expect(screen.getByRole("dialog", { name: "Outer" })).toBeInTheDocument();
});

test("the dialog closes on Escape and restores the focus", async () => {
  const user = await openDialog();
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Book Now" })).toHaveFocus();
});

test("a toast during an open dialog is shown once, inside the dialog", async () => {
  const user = await openDialog();
  await user.click(screen.getByRole("button", { name: "Confirm" }));
  expect(screen.getByRole("dialog")).toContainElement(screen.getByText("Already booked"));
});

test("the dialog focuses a nearby element if the button that opened it was removed", async () => {
  const user = userEvent.setup();
  function Card() {
    const [open, setOpen] = useState(false);
    const [booked, setBooked] = useState(false);
    return (
      <article>
        {booked ? <span tabIndex={-1}>Booked</span> : <Button onClick={() => setOpen(true)}>Book Now</Button>}
        <Dialog open={open} onClose={() => setOpen(false)} title="Book this phone">
          <Button onClick={() => setBooked(true)}>Confirm</Button>
        </Dialog>
      </article>
    );
  }
  render(<Card />);
  await user.click(screen.getByRole("button", { name: "Book Now" }));
  await user.click(screen.getByRole("button", { name: "Confirm" }));
  await user.keyboard("{Escape}");
  expect(screen.getByText("Booked")).toHaveFocus();
});
