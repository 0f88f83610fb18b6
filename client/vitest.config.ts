import { defineConfig, mergeConfig } from "vitest/config";
import viteConfig from "./vite.config.ts";

export default mergeConfig(
  viteConfig,
  defineConfig({
    // The sandbox's script lies in the server's rooms, and is tested here.
    server: { fs: { allow: [".", "../api/payment/sandbox/script"] } },
    test: {
      environment: "jsdom",
      environmentOptions: { jsdom: { url: "http://localhost:8080/" } },
      include: ["src/**/*.test.{ts,tsx}", "walls.test.ts"],
      setupFiles: ["src/testing/setup.ts"],
      restoreMocks: true,
      unstubGlobals: true,
      css: false,
      // Two cores are typical; a form typed key by key takes its time on them.
      testTimeout: 30_000,
    },
  }),
);
