import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Condition } from "./Condition";

test.each([
  ["Excellent", 3],
  ["Good", 2],
  ["Fair", 1],
] as const)("%s has %i of three points, which are hidden from screen readers", (condition, points) => {
  const { container } = render(<Condition of={condition} />);
  expect(screen.getByText(condition)).toBeVisible();
  const scale = container.querySelector("[aria-hidden]");
  expect(scale?.children).toHaveLength(3);
  expect(scale?.getElementsByClassName("bg-ok")).toHaveLength(points);
});
