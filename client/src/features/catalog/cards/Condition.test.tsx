import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Condition } from "./Condition";

test.each([
  ["Excellent", 3],
  ["Good", 2],
  ["Fair", 1],
] as const)("%s has %i of three points, for the eye only", (condition, points) => {
  const { container } = render(<Condition of={condition} />);
  expect(screen.getByText(condition)).toBeVisible();
  const shown = container.querySelector("[aria-hidden]");
  expect(shown?.children).toHaveLength(3);
  expect(shown?.getElementsByClassName("bg-ok")).toHaveLength(points);
});
