import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import {
  Badge,
  EmptyState,
  ErrorState,
  HeroRings,
  LiveDot,
  Picture,
  Skeleton,
  Spinner,
  StatCard,
} from "@/ui";

test("a spinner is heard as well as seen, in words that fit", () => {
  const { rerender } = render(<Spinner />);
  expect(screen.getByRole("status")).toHaveTextContent(/^Loading$/);
  rerender(<Spinner page label="Waiting for the server" />);
  expect(screen.getByRole("status")).toHaveTextContent(/^Waiting for the server$/);
});

test.each([
  ["Skeleton", <Skeleton key="" />],
  ["LiveDot", <LiveDot key="" />],
  ["HeroRings", <HeroRings key="" />],
])("%s is for the eye alone", (_, shape) => {
  const { container } = render(shape);
  expect(container.firstElementChild).toHaveAttribute("aria-hidden", "true");
});

test("a figure belongs to its words, and has its place before it has come", () => {
  const show = (value: string | undefined) => (
    <dl>
      <StatCard label="To pay" value={value} note="nothing to pay" />
    </dl>
  );
  const { rerender } = render(show(undefined));
  expect(screen.getByRole("term")).toHaveTextContent("To pay");
  const [value, note] = screen.getAllByRole("definition");
  expect(value).toHaveTextContent("");
  expect(note).toHaveTextContent("nothing to pay");
  rerender(show("3"));
  expect(value).toHaveTextContent("3");
});

test("a failure is told at once, and its button asks again unless it is asking", async () => {
  const retry = vi.fn();
  const show = (busy: boolean) => <ErrorState message="No answer" onRetry={retry} busy={busy} />;
  const { rerender } = render(show(false));
  expect(screen.getByRole("alert")).toHaveTextContent("No answer");
  const button = screen.getByRole("button", { name: "Try again" });
  await userEvent.click(button);
  rerender(show(true));
  await userEvent.click(button);
  expect(retry).toHaveBeenCalledOnce();
});

test("what is empty is no failure: it says so, and what to do", () => {
  render(<EmptyState title="No reports">All is well.</EmptyState>);
  expect(screen.getByText("No reports")).toBeVisible();
  expect(screen.getByText("All is well.")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a badge is words, whatever its colour", () => {
  render(<Badge tone="danger">Refunded</Badge>);
  expect(screen.getByText("Refunded")).toBeVisible();
});

test("a photo waits until it is near, unless it is among the first", () => {
  const { rerender } = render(<Picture src="/a.jpg" alt="Front" />);
  expect(screen.getByRole("img")).toHaveAttribute("loading", "lazy");
  rerender(<Picture src="/a.jpg" alt="Front" eager />);
  expect(screen.getByRole("img")).toHaveAttribute("loading", "eager");
});

test("a broken photo without words stays without them, and another one gets its chance", () => {
  const { container, rerender } = render(<Picture src="/gone.jpg" alt="" />);
  fireEvent.error(container.querySelector("img") as Element);
  expect(screen.queryByRole("img")).toBeNull();
  expect(container.querySelector("img")).toBeNull();
  rerender(<Picture src="/here.jpg" alt="" />);
  expect(container.querySelector("img")).toHaveAttribute("src", "/here.jpg");
});
