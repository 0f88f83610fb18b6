import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ListTable } from "@/ui";

const nothing = {
  list: undefined,
  isLoading: false,
  isFetching: false,
  error: undefined,
  retry: () => undefined,
  hasMore: false,
  isLoadingMore: false,
  loadMore: () => undefined,
  moreError: undefined,
};

function show(view: Partial<Parameters<typeof ListTable>[0]["view"]>, names: string[] = []) {
  render(
    <ListTable
      view={{ ...nothing, ...view }}
      rows={names.map((name) => ({ _id: name, name }))}
      caption="Buyers"
      columns={[{ header: "Name", cell: ({ name }) => name }]}
      empty="No buyers yet"
      emptyHint="They come when somebody signs up."
    />,
  );
  return userEvent.setup();
}

test("while it loads it says so, and not that there is nothing", () => {
  show({ isLoading: true });
  expect(screen.getByRole("status")).toHaveTextContent("Loading");
  expect(screen.queryByText("No buyers yet")).toBeNull();
  expect(screen.queryByRole("table")).toBeNull();
});

test("an empty list says what to do about it", () => {
  show({ list: { total: 0 } });
  expect(screen.getByText("No buyers yet")).toBeVisible();
  expect(screen.getByText("They come when somebody signs up.")).toBeVisible();
  expect(screen.queryByRole("table")).toBeNull();
});

test("a list that did not come can be asked for again, once at a time", async () => {
  const retry = vi.fn();
  const user = show({ error: "Please try again in a moment", retry });
  expect(screen.getByRole("alert")).toHaveTextContent("Please try again in a moment");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(retry).toHaveBeenCalledOnce();
});

test("while it is asked for again the button waits", () => {
  show({ error: "Please try again in a moment", isFetching: true });
  expect(screen.getByRole("button", { name: "Try again" })).toBeDisabled();
});

test("what has come is a table, with the way to the rest", async () => {
  const loadMore = vi.fn();
  const user = show({ list: { total: 3 }, hasMore: true, loadMore }, ["Amina", "Bashir"]);
  expect(screen.getByRole("table", { name: "Buyers" })).toBeVisible();
  expect(screen.getByRole("cell", { name: "Bashir" })).toBeVisible();
  expect(screen.getByText("Showing 2 of 3")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Load more" }));
  expect(loadMore).toHaveBeenCalledOnce();
});

test("when the rest does not come, what is there stays", async () => {
  const loadMore = vi.fn();
  const user = show({ list: { total: 3 }, moreError: "No answer", loadMore }, ["Amina"]);
  expect(screen.getByRole("cell", { name: "Amina" })).toBeVisible();
  expect(screen.getByRole("alert")).toHaveTextContent("No answer");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(loadMore).toHaveBeenCalledOnce();
});
