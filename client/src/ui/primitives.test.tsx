import { act, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import {
  AnnouncerProvider,
  Avatar,
  ConfirmDialog,
  Picture,
  Table,
  ToastProvider,
  useAnnounce,
  useToast,
} from "@/ui";
import { BATCH_MS } from "./Announcer";
import { TOAST_MS } from "./Toast";

afterEach(() => vi.useRealTimers());

test("a table has a name, and headers that are repeated in cards", () => {
  render(
    <Table
      caption="My orders"
      columns={[{ header: "Brand", cell: (row: { id: string; brand: string }) => row.brand }]}
      rows={[{ id: "1", brand: "Apple" }]}
      rowKey={(row) => row.id}
    />,
  );
  const table = within(screen.getByRole("table", { name: "My orders" }));
  expect(table.getByRole("columnheader", { name: "Brand" })).toBeInTheDocument();
  expect(table.getByRole("cell", { name: "Apple" })).toHaveTextContent("BrandApple");
});

test("a confirmation dialog focuses Cancel, and only its button confirms", async () => {
  const onConfirm = vi.fn();
  const onCancel = vi.fn();
  const user = userEvent.setup();
  render(<ConfirmDialog open title="Are you sure?" onConfirm={onConfirm} onCancel={onCancel} />);
  expect(screen.getByRole("alertdialog", { name: "Are you sure?" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
  await user.keyboard("{Escape}");
  expect(onCancel).toHaveBeenCalledOnce();
  expect(onConfirm).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Delete" }));
  expect(onConfirm).toHaveBeenCalledOnce();
});

function MessageButtons({ messages }: { messages: string[] }) {
  const toast = useToast();
  const announce = useAnnounce();
  return (
    <>
      <button type="button" onClick={() => messages.map((message) => toast(message))}>
        Toast
      </button>
      <button type="button" onClick={() => messages.map(announce)}>
        Announce
      </button>
    </>
  );
}

function showMessages(messages: string[], how: "Toast" | "Announce") {
  vi.useFakeTimers();
  render(
    <ToastProvider>
      <AnnouncerProvider>
        <MessageButtons messages={messages} />
      </AnnouncerProvider>
    </ToastProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: how }));
}

test("a toast is announced politely and disappears", () => {
  showMessages(["Booking Confirmed"], "Toast");
  const region = screen.getByRole("status", { name: "Messages" });
  expect(region).toHaveTextContent("Booking Confirmed");
  act(() => vi.advanceTimersByTime(TOAST_MS));
  expect(region).toBeEmptyDOMElement();
});

test("a toast can be dismissed", () => {
  showMessages(["Booking Confirmed"], "Toast");
  fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText("Booking Confirmed")).toBeNull();
});

test("many live changes are announced together, the last three in full", () => {
  showMessages(["one", "two", "three", "four", "five"], "Announce");
  const region = screen.getByRole("log", { name: "Live changes" });
  expect(region).toHaveTextContent(/^$/);
  act(() => vi.advanceTimersByTime(BATCH_MS));
  expect(region).toHaveTextContent("three. four. five. and 2 more changes");
});

test("a repeated message is announced again", () => {
  showMessages(["iPhone 6 was just booked"], "Announce");
  act(() => vi.advanceTimersByTime(BATCH_MS));
  const first = screen.getByText("iPhone 6 was just booked");
  fireEvent.click(screen.getByRole("button", { name: "Announce" }));
  act(() => vi.advanceTimersByTime(BATCH_MS));
  expect(screen.getByText("iPhone 6 was just booked")).not.toBe(first);
});

test("a broken picture keeps its accessible name", () => {
  render(<Picture src="/gone.jpg" alt="Photo of iPhone 6" />);
  fireEvent.error(screen.getByRole("img"));
  const outline = screen.getByRole("img", { name: "Photo of iPhone 6" });
  expect(outline.tagName).not.toBe("IMG");
});

test("an avatar without a picture is an icon with the user's name", () => {
  render(<Avatar name="Karim Uddin" />);
  expect(screen.getByRole("img", { name: "Karim Uddin" })).toBeInTheDocument();
});
