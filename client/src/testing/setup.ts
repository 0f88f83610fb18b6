import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { complaints } from "@/testing/complaints";

// A screen's code is loaded when it is first shown; on busy machines that takes longer than the default second.
configure({ asyncUtilTimeout: 6000 });

beforeEach(() => {
  complaints.length = 0;
  // jsdom has no page to scroll.
  window.scrollTo = () => undefined;
  for (const level of ["error", "warn"] as const) {
    vi.spyOn(console, level).mockImplementation((...args: unknown[]) => {
      complaints.push(`console.${level}: ${args.map(String).join(" ")}`);
    });
  }
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  expect(complaints).toEqual([]);
});
