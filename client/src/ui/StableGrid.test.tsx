import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { StableGrid } from "./StableGrid";

const renderItem = vi.fn((key: string) => <p>{key}</p>);
const grid = (keys: string[], header?: string) => (
  <StableGrid keys={keys} header={header} columns="grid" removedText="Removed">
    {renderItem}
  </StableGrid>
);
/** The keys of the items that were rendered since the last call. */
const renderedKeys = () => renderItem.mock.calls.splice(0).map(([key]) => key);

test("a re-rendered grid renders only the items that were added or removed", () => {
  const { rerender } = render(grid(["b", "a"]));
  expect(renderedKeys()).toEqual(["b", "a"]);
  rerender(grid(["b", "a"], "2 phones"));
  expect(renderedKeys()).toEqual([]);
  rerender(grid(["c", "b", "a"]));
  expect(renderedKeys()).toEqual(["c"]);
  rerender(grid(["c", "a"]));
  expect(renderedKeys()).toEqual([]);
  expect(screen.getByText("Removed")).toBeVisible();
  rerender(grid(["c", "b", "a"]));
  expect(renderedKeys()).toEqual(["b"]);
});
