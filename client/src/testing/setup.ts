import "@testing-library/jest-dom/vitest";
import { configure } from "@testing-library/react";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { forgetServerTime } from "@/lib/serverTime";
import { consoleOutput } from "@/testing/consoleOutput";
import { endScreen } from "@/testing/endScreen";
import { nextTurn } from "@/testing/nextTurn";

// The code of a screen is loaded when it is first shown; on a busy machine this takes many seconds.
configure({ asyncUtilTimeout: 30_000 });

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

// Resets the environment for the next test, which may be in another file.
afterEach(async () => {
  endScreen();
  // Responses of a fake fetch may cause further requests.
  for (let turns = 0; turns < 5; turns++) await nextTurn();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  forgetServerTime();
  localStorage.clear();
  sessionStorage.clear();
  document.head.replaceChildren();
  delete document.documentElement.dataset.theme;
  expect(consoleOutput).toEqual([]);
});
