import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { brotli } from "./scripts/brotli.ts";

/** Where `npm run dev` finds a running server; every call of the market is passed on to it. */
const server = process.env.SECONDRING_SERVER ?? "http://localhost:8080";

const calls =
  "^/(identity|jwt|users|bookings?|orders|earnings|productCategory|allCategories|categories|products|reportedItems" +
  "|create-payment-intent|payments|waitlist|notifications|watches|searches|images|config|live|openapi\\.json|docs|healthz|readyz|sandbox|demo)(/|\\?|$)";

export default defineConfig({
  plugins: [react(), tailwindcss(), brotli()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    target: "es2022",
    // light-dark() as written; lowering it would double every colour.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The server's style policy allows no data: fonts or scripts; keep assets as files.
    assetsInlineLimit: 0,
    // Every browser of the target knows modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Libraries that every screen needs: their file stays in the browser's cache when only ours changes.
        codeSplitting: {
          groups: [
            { name: "vendor", test: /node_modules\/(react|react-dom|react-router|@reduxjs|react-redux)\// },
            // What only the dashboard's screens use: many of them, but none is a visitor's first.
            {
              name: "dashboard",
              test: /\/src\/(ui\/(Table|ListTable|TableSkeleton|ConfirmDialog)\.tsx|features\/admin\/)/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // What many screens use, but neither Home nor Categories: forms, dialogs, long lists.
            {
              name: "later",
              test: /\/src\/ui\/(Field|ReadOnlyField|NewPasswordField|Dialog|LoadMore|NextPage)\.tsx/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // Texts of cards, dialogs and the dashboard; the first screen is drawn before them.
            {
              name: "laterTexts",
              test: /\/src\/texts\/(waitlist|dates)\.ts/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // Our modules that many screens use, in one file: over HTTP/1.1 a browser loads six at a time.
            { name: "common", test: /\/src\//, minShareCount: 6 },
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
