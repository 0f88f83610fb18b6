import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Avatar, Picture } from "@/ui";

test("a photo is loaded lazily unless it is eager", () => {
  const { rerender } = render(<Picture src="/a.jpg" alt="Front" />);
  expect(screen.getByRole("img")).toHaveAttribute("loading", "lazy");
  rerender(<Picture src="/a.jpg" alt="Front" eager />);
  expect(screen.getByRole("img")).toHaveAttribute("loading", "eager");
});

test("a broken decorative photo stays hidden from screen readers, and another URL is loaded", () => {
  const { container, rerender } = render(<Picture src="/missing.jpg" alt="" />);
  fireEvent.error(container.querySelector("img") as Element);
  expect(screen.queryByRole("img")).toBeNull();
  expect(container.querySelector("img")).toBeNull();
  rerender(<Picture src="/other.jpg" alt="" />);
  expect(container.querySelector("img")).toHaveAttribute("src", "/other.jpg");
});

test("a broken picture keeps its accessible name", () => {
  render(<Picture src="/missing.jpg" alt="Photo of iPhone 6" />);
  fireEvent.error(screen.getByRole("img"));
  const placeholder = screen.getByRole("img", { name: "Photo of iPhone 6" });
  expect(placeholder.tagName).not.toBe("IMG");
});

test("an avatar without a picture is an icon with the user's name", () => {
  render(<Avatar name="Karim Uddin" />);
  expect(screen.getByRole("img", { name: "Karim Uddin" })).toBeInTheDocument();
});
