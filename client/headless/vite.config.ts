import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The real client for Node. HEADLESS_PART is page (run once for each client) or host (the process that runs them). */
const part = process.env.HEADLESS_PART ?? "page";

export default defineConfig({
  logLevel: "error",
  publicDir: false,
  // Everything in one file, without node_modules.
  ssr: { noExternal: true },
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  resolve: {
    alias: [
      { find: /^@\/texts\//, replacement: at("../src/texts/") },
      { find: /^@\//, replacement: at("../src/") },
    ],
  },
  build: {
    target: "node20",
    minify: false,
    emptyOutDir: false,
    ssr: at(part === "host" ? "./host.ts" : "./bundle.ts"),
    rolldownOptions: {
      output:
        part === "host"
          ? { format: "es", entryFileNames: "host.mjs" }
          : { format: "cjs", entryFileNames: "page.cjs" },
    },
  },
});
