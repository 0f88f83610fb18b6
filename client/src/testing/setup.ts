import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { consoleOutput } from "@/testing/consoleOutput";

// The code of a screen is loaded when it is first shown; on a busy machine this takes longer than the default second.
configure({ asyncUtilTimeout: 6000 });

beforeEach(() => {
  consoleOutput.length = 0;
  // jsdom does not implement scrolling.
  window.scrollTo = () => undefined;
  for (const level of ["error", "warn"] as const) {
    vi.spyOn(console, level).mockImplementation((...args: unknown[]) => {
      consoleOutput.push(`console.${level}: ${args.map(String).join(" ")}`);
    });
  }
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  expect(consoleOutput).toEqual([]);
});
