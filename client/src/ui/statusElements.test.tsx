import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { EmptyState, ErrorState, HeroRings, LiveDot, Skeleton, Spinner, StatCard } from "@/ui";

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
])("%s is hidden from screen readers", (_, element) => {
  const { container } = render(element);
  expect(container.firstElementChild).toHaveAttribute("aria-hidden", "true");
});

test("a statistic has its label, and a skeleton while it loads", () => {
  const card = (value: string | undefined) => (
    <dl>
      <StatCard label="To pay" value={value} note="nothing to pay" />
    </dl>
  );
  const { rerender } = render(card(undefined));
  expect(screen.getByRole("term")).toHaveTextContent("To pay");
  const [value, note] = screen.getAllByRole("definition");
  expect(value).toHaveTextContent("");
  expect(note).toHaveTextContent("nothing to pay");
  rerender(card("3"));
  expect(value).toHaveTextContent("3");
});

test("an error is an alert, and its retry button is disabled while busy", async () => {
  const onRetry = vi.fn();
  const errorState = (busy: boolean) => <ErrorState message="No answer" onRetry={onRetry} busy={busy} />;
  const { rerender } = render(errorState(false));
  expect(screen.getByRole("alert")).toHaveTextContent("No answer");
  const button = screen.getByRole("button", { name: "Try again" });
  await userEvent.click(button);
  rerender(errorState(true));
  await userEvent.click(button);
  expect(onRetry).toHaveBeenCalledOnce();
});

test("an empty state shows its message and is not an alert", () => {
  render(<EmptyState title="No reports">Reports appear here.</EmptyState>);
  expect(screen.getByText("No reports")).toBeVisible();
  expect(screen.getByText("Reports appear here.")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
});
