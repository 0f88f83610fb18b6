import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { AnnouncerProvider, Dialog, ToastProvider, useAnnounce, useToast } from "@/ui";
import { BATCH_MS } from "./Announcer";
import { TOAST_MS } from "./Toast";

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

function showMessages(messages: string[], button: "Toast" | "Announce") {
  vi.useFakeTimers();
  render(
    <ToastProvider>
      <AnnouncerProvider>
        <MessageButtons messages={messages} />
      </AnnouncerProvider>
    </ToastProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: button }));
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
  const before = screen.getByText("iPhone 6 was just booked");
  fireEvent.click(screen.getByRole("button", { name: "Announce" }));
  act(() => vi.advanceTimersByTime(BATCH_MS));
  expect(screen.getByText("iPhone 6 was just booked")).not.toBe(before);
});

test("a change is announced inside an open dialog, without the messages from before", () => {
  vi.useFakeTimers();
  const page = (open: boolean) => (
    <ToastProvider>
      <AnnouncerProvider>
        <MessageButtons messages={["iPhone 6 was just booked"]} />
        <Dialog open={open} onClose={() => undefined} title="Book Nexus 5">
          <p>Content</p>
        </Dialog>
      </AnnouncerProvider>
    </ToastProvider>
  );
  const { rerender } = render(page(false));
  const announce = () => {
    fireEvent.click(screen.getByText("Announce"));
    act(() => vi.advanceTimersByTime(BATCH_MS));
  };
  announce();
  rerender(page(true));
  const region = within(screen.getByRole("dialog")).getByRole("log", { name: "Live changes" });
  expect(region).toHaveTextContent(/^$/);
  announce();
  expect(region).toHaveTextContent("iPhone 6 was just booked");
});
