import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Table, useKeptFocus } from "@/ui";

interface Props {
  names: string[];
  /** Rows without a button. */
  done?: string[];
}

/** A section with a heading and a table, which has a button in each row. */
function Phones({ names, done = [] }: Props) {
  const keptFocus = useKeptFocus<HTMLElement>();
  const cell = (name: string) => !done.includes(name) && <button type="button">Delete {name}</button>;
  return (
    <section {...keptFocus}>
      <h2 tabIndex={-1}>Phones</h2>
      {names.length > 0 && (
        <Table caption="All" columns={[{ header: "Delete", cell }]} rows={names} rowKey={(name) => name} />
      )}
    </section>
  );
}

const row = (name: string) => screen.getByRole("row", { name: new RegExp(`Delete ${name}`) });
const focusButton = (name: string) => screen.getByRole("button", { name: `Delete ${name}` }).focus();

test("after the removal of the row that has the focus, the next row gets it, or the last one, or the heading", () => {
  const { rerender } = render(<Phones names={["a", "b", "c"]} />);
  focusButton("b");
  rerender(<Phones names={["a", "c"]} />);
  expect(row("c")).toHaveFocus();
  rerender(<Phones names={["a"]} />);
  expect(row("a")).toHaveFocus();
  rerender(<Phones names={[]} />);
  expect(screen.getByRole("heading")).toHaveFocus();
});

test("after the removal of a row before, the same row still keeps the focus", () => {
  const { rerender } = render(<Phones names={["a", "b", "c"]} />);
  focusButton("b");
  rerender(<Phones names={["b", "c"]} />);
  expect(screen.getByRole("button", { name: "Delete b" })).toHaveFocus();
  rerender(<Phones names={["c"]} />);
  expect(row("c")).toHaveFocus();
});

test("after the removal of the focused button its row gets the focus", () => {
  const { rerender } = render(<Phones names={["a", "b"]} />);
  const first = row("a");
  focusButton("a");
  rerender(<Phones names={["a", "b"]} done={["a"]} />);
  expect(first).toHaveFocus();
});

test("the focus stays elsewhere when a row is removed that does not have it", () => {
  const { rerender } = render(<Phones names={["a", "b"]} />);
  focusButton("a");
  screen.getByRole("button", { name: "Delete a" }).blur();
  rerender(<Phones names={["b"]} />);
  expect(document.body).toHaveFocus();
});
