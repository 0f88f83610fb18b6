import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `npm run dev` finds a running server; every call of the market is passed on to it. */
const server = process.env.SECONDRING_SERVER ?? "http://localhost:8080";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const calls =
  "^/(identity|jwt|users|bookings?|productCategory|allCategories|categories|products|reportedItems" +
  "|create-payment-intent|payments|images|config|live|openapi\\.json|docs|healthz|readyz|sandbox|demo)(/|\\?|$)";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: [
      { find: /^@\//, replacement: at("./src/") },
      // The package names only its build with development warnings; this is the one without.
      { find: /^react-router$/, replacement: at("./node_modules/react-router/dist/production/index.mjs") },
    ],
  },
  build: {
    target: "es2022",
    // light-dark() as written; lowering it would double every colour.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The server's style policy allows no data: fonts or scripts; keep assets as files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Texts go where they are used: else a module of them would stand whole in the first chunk that needs one.
      optimization: { inlineConst: { mode: "all" } },
      output: {
        // What every screen needs of other people's code, in one file: it compresses best together and
        // stays cached while ours changes.
        codeSplitting: {
          groups: [
            {
              name: "vendor",
              priority: 2,
              test: /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@reduxjs|immer|redux|redux-thunk|reselect|react-redux|use-sync-external-store|react-use-websocket|@standard-schema)\//,
            },
            // All of ours that the first screen needs, in one file too.
            { name: "shell", priority: 1, test: /\/src\/main/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      [calls]: {
        target: server,
        ws: true,
        // GET /categories is a screen for a browser and a call for the client, told apart by Accept.
        bypass: (request) => {
          const isScreen = request.headers.accept?.includes("text/html");
          return isScreen && request.url === "/categories" ? "/index.html" : undefined;
        },
      },
    },
  },
});
