import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useTheme } from "@/ui";

/** Stubs the system's colour scheme. `setDark` changes it. */
function stubSystemTheme(isDark: boolean) {
  const query = Object.assign(new EventTarget(), { matches: isDark });
  vi.stubGlobal("matchMedia", () => query);
  return {
    setDark(dark: boolean) {
      query.matches = dark;
      act(() => void query.dispatchEvent(new Event("change")));
    },
  };
}

test("the theme follows the system until the user chooses one", () => {
  const system = stubSystemTheme(true);
  const { result } = renderHook(useTheme);
  expect(result.current[0]).toBe("dark");
  system.setDark(false);
  expect(result.current[0]).toBe("light");
});

test("the chosen theme overrides the system in every component and is stored", async () => {
  const system = stubSystemTheme(false);
  const first = renderHook(useTheme);
  const second = renderHook(useTheme);
  await act(async () => first.result.current[1]());
  expect(first.result.current[0]).toBe("dark");
  expect(second.result.current[0]).toBe("dark");
  expect(localStorage.getItem("theme")).toBe("dark");
  system.setDark(false);
  expect(first.result.current[0]).toBe("dark");
});

test("the chosen theme is kept until reload without storage", async () => {
  stubSystemTheme(false);
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("forbidden", "SecurityError");
  });
  const { result } = renderHook(useTheme);
  await act(async () => result.current[1]());
  expect(result.current[0]).toBe("dark");
});
