import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { StableGrid } from "./StableGrid";

const item = vi.fn((key: string) => <p>{key}</p>);
const grid = (keys: string[], bar?: string) => (
  <StableGrid keys={keys} header={bar} columns="grid" removedText="Removed">
    {item}
  </StableGrid>
);
const drawn = () => item.mock.calls.splice(0).map(([key]) => key);

test("a re-rendered grid renders only the items that were added or removed", () => {
  const { rerender } = render(grid(["b", "a"]));
  expect(drawn()).toEqual(["b", "a"]);
  rerender(grid(["b", "a"], "2 phones"));
  expect(drawn()).toEqual([]);
  rerender(grid(["c", "b", "a"]));
  expect(drawn()).toEqual(["c"]);
  rerender(grid(["c", "a"]));
  expect(drawn()).toEqual([]);
  expect(screen.getByText("Removed")).toBeVisible();
  rerender(grid(["c", "b", "a"]));
  expect(drawn()).toEqual(["b"]);
});
