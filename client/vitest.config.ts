import { defineConfig, mergeConfig } from "vitest/config";
import viteConfig from "./vite.config.ts";

export default mergeConfig(
  viteConfig,
  defineConfig({
    // The sandbox's script is in the server's folder, and is tested here.
    server: { fs: { allow: [".", "../sandbox/stripe/script"] } },
    test: {
      restoreMocks: true,
      unstubGlobals: true,
      // On two cores, a form that is filled in key by key takes several seconds.
      testTimeout: 30_000,
      // The default leaves one core unused, which is half of two.
      maxWorkers: "100%",
      projects: [
        {
          extends: true,
          test: {
            name: "client",
            environment: "jsdom",
            environmentOptions: { jsdom: { url: "http://localhost:8080/" } },
            include: ["src/**/*.test.{ts,tsx}"],
            setupFiles: ["src/testing/setup.ts"],
            css: false,
          },
        },
        // Tests of the repository: the import rules, and rules that the server has too.
        { extends: true, test: { name: "repository", environment: "node", include: ["*.test.ts"] } },
      ],
    },
  }),
);
