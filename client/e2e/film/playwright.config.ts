import { defineConfig } from "@playwright/test";
import tests from "../../playwright.config";

/** Records the film of the README: `make film`. */
export default defineConfig({
  ...tests,
  testDir: ".",
  outputDir: "../../test-results",
  reporter: "list",
  projects: [{ name: "film" }],
  workers: 1,
});
