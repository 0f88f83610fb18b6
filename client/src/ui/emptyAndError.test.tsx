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

test("a spinner has a status text", () => {
  const { rerender } = render(<Spinner />);
  expect(screen.getByRole("status")).toHaveTextContent(/^Loading$/);
  rerender(<Spinner page label="Waiting for the server" />);
  expect(screen.getByRole("status")).toHaveTextContent(/^Waiting for the server$/);
});

test.each([
  ["Skeleton", <Skeleton key="" />],
  ["LiveDot", <LiveDot key="" />],
  ["HeroRings", <HeroRings key="" />],
])("%s is hidden from screen readers", (_, shape) => {
  const { container } = render(shape);
  expect(container.firstElementChild).toHaveAttribute("aria-hidden", "true");
});

test("a statistic has its label, and a skeleton while it loads", () => {
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

test("an error is an alert, and its retry button is disabled while busy", async () => {
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

test("an empty state shows its message and is not an alert", () => {
  render(<EmptyState title="No reports">All is well.</EmptyState>);
  expect(screen.getByText("No reports")).toBeVisible();
  expect(screen.getByText("All is well.")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a badge shows its text", () => {
  render(<Badge tone="danger">Refunded</Badge>);
  expect(screen.getByText("Refunded")).toBeVisible();
});

test("a photo is loaded lazily unless it is eager", () => {
  const { rerender } = render(<Picture src="/a.jpg" alt="Front" />);
  expect(screen.getByRole("img")).toHaveAttribute("loading", "lazy");
  rerender(<Picture src="/a.jpg" alt="Front" eager />);
  expect(screen.getByRole("img")).toHaveAttribute("loading", "eager");
});

test("a broken decorative photo stays hidden from screen readers, and another URL is loaded", () => {
  const { container, rerender } = render(<Picture src="/gone.jpg" alt="" />);
  fireEvent.error(container.querySelector("img") as Element);
  expect(screen.queryByRole("img")).toBeNull();
  expect(container.querySelector("img")).toBeNull();
  rerender(<Picture src="/here.jpg" alt="" />);
  expect(container.querySelector("img")).toHaveAttribute("src", "/here.jpg");
});
