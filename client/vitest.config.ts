import { defineConfig, mergeConfig } from "vitest/config";
import viteConfig from "./vite.config.ts";

export default mergeConfig(
  viteConfig,
  defineConfig({
    // The sandbox's script lies beside the server, and is tested here.
    server: { fs: { allow: [".", "../sandbox/stripe/script"] } },
    test: {
      restoreMocks: true,
      unstubGlobals: true,
      // Two cores are typical; a form typed key by key takes its time on them.
      testTimeout: 30_000,
      // By itself it leaves one core to others, which is half of two.
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
        // What holds the house together, looked at from outside.
        { extends: true, test: { name: "house", environment: "node", include: ["*.test.ts"] } },
      ],
    },
  }),
);
