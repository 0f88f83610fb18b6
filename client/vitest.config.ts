import { defineConfig, mergeConfig } from "vitest/config";
import viteConfig from "./vite.config.ts";

/** The settings of the tests that need a browser's objects. */
const client = {
  environment: "jsdom",
  environmentOptions: { jsdom: { url: "http://localhost:8080/" } },
  setupFiles: ["src/testing/setup.ts"],
  css: false,
};

export default mergeConfig(
  viteConfig,
  defineConfig({
    // The tests of the sandbox's script are here, but the script is in the server's folder.
    server: { fs: { allow: [".", "../sandbox/stripe/script"] } },
    test: {
      restoreMocks: true,
      unstubGlobals: true,
      // On two busy cores, a form that is filled in key by key takes half a minute.
      testTimeout: 120_000,
      // The default leaves one core unused, which is half of two.
      maxWorkers: "100%",
      projects: [
        // Many files share a worker, with its jsdom and the loaded modules: half of the time of a worker for each file.
        {
          extends: true,
          test: {
            ...client,
            name: "client",
            isolate: false,
            include: ["src/**/*.test.{ts,tsx}"],
            exclude: ["src/**/*.isolated.test.{ts,tsx}"],
          },
        },
        // Tests that replace modules, or that test the state of a module.
        {
          extends: true,
          test: { ...client, name: "isolated", include: ["src/**/*.isolated.test.{ts,tsx}"] },
        },
        // Tests of the repository: the import rules, and rules that the server has too.
        { extends: true, test: { name: "repository", environment: "node", include: ["*.test.ts"] } },
      ],
    },
  }),
);
