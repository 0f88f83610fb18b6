import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { parseQuery } from "@/lib/productQuery";
import { SEARCH_DEBOUNCE_MS } from "@/lib/searchDebounce";
import { useFilterForm } from "./useFilterForm";

afterEach(() => {
  vi.useRealTimers();
  window.history.replaceState(null, "", "/");
});

it.each([
  ["writes typed text to the address after a pause", "/search", 1],
  ["does not lead back a reader who has gone to another screen", "/login", 0],
])("%s", (_name, path, writes) => {
  vi.useFakeTimers();
  window.history.replaceState(null, "", "/search");
  const change = vi.fn();
  const { result } = renderHook(() => useFilterForm(parseQuery(""), change));
  act(() => result.current.type({ text: "heron" }));
  window.history.pushState(null, "", path);
  act(() => void vi.advanceTimersByTime(SEARCH_DEBOUNCE_MS));
  expect(change).toHaveBeenCalledTimes(writes);
});
