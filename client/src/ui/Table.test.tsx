import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Table } from "./Table";

const table = (...names: string[]) => (
  <Table
    caption="Phones"
    columns={[{ header: "Name", cell: (name: string) => name }]}
    rows={names}
    rowKey={(name) => name}
  />
);

const names = () => screen.getAllByRole("cell").map((cell) => cell.lastElementChild?.textContent);

test("a table has a name, and headers that are repeated in its cards", () => {
  render(table("Nexus 5"));
  const phones = within(screen.getByRole("table", { name: "Phones" }));
  expect(phones.getByRole("columnheader", { name: "Name" })).toBeInTheDocument();
  expect(phones.getByRole("cell", { name: "Nexus 5" })).toHaveTextContent("NameNexus 5");
});

test("a new row is appended, and sorted when the user presses the button", async () => {
  const { rerender } = render(table("b", "a"));
  expect(names()).toEqual(["b", "a"]);
  expect(screen.queryByRole("button")).toBeNull();
  rerender(table("c", "b", "a"));
  expect(names()).toEqual(["b", "a", "c"]);
  await userEvent.click(screen.getByRole("button", { name: "Show 1 new" }));
  expect(document.body, "the focus must not be lost with the removed button").not.toHaveFocus();
  expect(names()).toEqual(["c", "b", "a"]);
  expect(screen.queryByRole("button")).toBeNull();
});

test("a removed row disappears, and a further page is appended", () => {
  const { rerender } = render(table("c", "b"));
  rerender(table("c", "a"));
  expect(names()).toEqual(["c", "a"]);
  expect(screen.queryByRole("button")).toBeNull();
});

test("a card shows no header beside its title and its action, but beside other values", () => {
  render(
    <Table
      caption="Phones"
      columns={[
        { header: "Name", cardSlot: "title", cell: (name: string) => name },
        { header: "Price", width: "w-40", cell: () => "$5" },
        { header: "Delete", cardSlot: "action", cell: () => <button type="button">Delete</button> },
      ]}
      rows={["a"]}
      rowKey={(name) => name}
    />,
  );
  const [name, price, remove] = screen.getAllByRole("cell").map((cell) => cell.firstElementChild);
  expect(name).toHaveClass("@max-4xl:hidden");
  expect(price).not.toHaveClass("@max-4xl:hidden");
  expect(remove).toHaveClass("@max-4xl:hidden");
  expect(screen.getByRole("columnheader", { name: "Price" })).toHaveClass("w-40");
});
