import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** Where distributions put the browser; CHROMIUM names another one. */
const browsers = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

export default defineConfig({
  testDir: "e2e/specs",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"]],
  // A busy machine may take its time; a quiet one needs a tenth of this.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    browserName: "chromium",
    locale: "en-GB",
    timezoneId: "Asia/Dhaka",
    viewport: { width: 1280, height: 900 },
    actionTimeout: 20_000,
    // Pictures of every frame would slow each test; the page itself is in the trace.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: true },
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
