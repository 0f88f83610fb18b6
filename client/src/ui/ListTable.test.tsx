import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ListTable } from "@/ui";

const emptyView = {
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

function renderTable(view: Partial<Parameters<typeof ListTable>[0]["view"]>, names: string[] = []) {
  render(
    <ListTable
      view={{ ...emptyView, ...view }}
      rows={names.map((name) => ({ _id: name, name }))}
      caption="Buyers"
      columns={[{ header: "Name", cell: ({ name }) => name }]}
      empty="No buyers yet"
      emptyHint="Buyers appear here after they sign up."
    />,
  );
  return userEvent.setup();
}

test("a loading list shows a loading message and no empty message", () => {
  renderTable({ isLoading: true });
  expect(screen.getByRole("status")).toHaveTextContent("Loading");
  expect(screen.queryByText("No buyers yet")).toBeNull();
  expect(screen.queryByRole("table")).toBeNull();
});

test("an empty list shows its message and hint", () => {
  renderTable({ list: { total: 0 } });
  expect(screen.getByText("No buyers yet")).toBeVisible();
  expect(screen.getByText("Buyers appear here after they sign up.")).toBeVisible();
  expect(screen.queryByRole("table")).toBeNull();
});

test("a failed list has a retry button", async () => {
  const retry = vi.fn();
  const user = renderTable({ error: "Please try again in a moment", retry });
  expect(screen.getByRole("alert")).toHaveTextContent("Please try again in a moment");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(retry).toHaveBeenCalledOnce();
});

test("the retry button is disabled while the list is fetched", () => {
  renderTable({ error: "Please try again in a moment", isFetching: true });
  expect(screen.getByRole("button", { name: "Try again" })).toBeDisabled();
});

test("a loaded page is shown as a table with a button for the next page", async () => {
  const loadMore = vi.fn();
  const user = renderTable({ list: { total: 3 }, hasMore: true, loadMore }, ["Amina", "Bashir"]);
  expect(screen.getByRole("table", { name: "Buyers" })).toBeVisible();
  expect(screen.getByRole("cell", { name: "Bashir" })).toBeVisible();
  expect(screen.getByText("Showing 2 of 3")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Load more" }));
  expect(loadMore).toHaveBeenCalledOnce();
});

test("a failed next page keeps the loaded rows and has a retry button", async () => {
  const loadMore = vi.fn();
  const user = renderTable({ list: { total: 3 }, moreError: "No answer", loadMore }, ["Amina"]);
  expect(screen.getByRole("cell", { name: "Amina" })).toBeVisible();
  expect(screen.getByRole("alert")).toHaveTextContent("No answer");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(loadMore).toHaveBeenCalledOnce();
});
