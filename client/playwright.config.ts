import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import type { ProjectOptions, TestOptions } from "./e2e/fixtures";

/** Where distributions put the browser; CHROMIUM names another one. */
const browsers = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/**
 * Tests of several windows that run with the windows on different nodes: those of nodes.spec.ts, and one test with the tag
 * `@nodes` for each kind of event that crosses nodes. All others do not depend on the node that answers, and run with one
 * process.
 */
const betweenNodes = /(^|[ /])nodes\.spec\.ts|@nodes/;

/**
 * Tests that run once more with a translated page: with journeys.spec.ts, one for each kind of change on a screen.
 * TRANSLATED=1 translates the pages of all tests; `make soak` does so.
 */
const onTranslatedPages = /@translated/;

export default defineConfig<TestOptions, ProjectOptions>({
  testDir: "e2e/specs",
  outputDir: "test-results",
  fullyParallel: true,
  // One more than the two processors, because some tests wait while others compute.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["./e2e/support/failureSummary.ts"]],
  projects: process.env.SOAK
    ? [{ name: "soak", grep: /@soak/ }]
    : [
        { name: "alone", grepInvert: [/@soak/, betweenNodes] },
        { name: "nodes", grep: betweenNodes, grepInvert: /@soak/, use: { store: "shared" } },
        { name: "translated", grep: onTranslatedPages, use: { isTranslated: true } },
      ],
  // Allows for a busy machine: beside a second run of these tests, the longest one took five minutes.
  timeout: 900_000,
  expect: { timeout: 60_000 },
  use: {
    browserName: "chromium",
    locale: "en-GB",
    timezoneId: "Asia/Dhaka",
    viewport: { width: 1280, height: 900 },
    // Endless animations take an eighth of the time. The tests about movement switch them on.
    contextOptions: { reducedMotion: "reduce" },
    actionTimeout: 60_000,
    // A trace of each step takes a quarter of the processor time of all tests. TRACE=1 keeps those of failed ones.
    trace: process.env.TRACE ? "retain-on-failure" : "off",
    launchOptions: {
      executablePath: process.env.CHROMIUM || browsers.find(existsSync),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
