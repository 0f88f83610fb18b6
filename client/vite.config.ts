import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { brotli, screens } from "./scripts/screens.ts";

/** Where `npm run dev` finds a running server; every call of the market is passed on to it. */
const server = process.env.SECONDRING_SERVER ?? "http://localhost:8080";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const calls =
  "^/(identity|jwt|users|bookings?|productCategory|allCategories|categories|products|reportedItems" +
  "|create-payment-intent|payments|images|config|live|openapi\\.json|docs|healthz|readyz|sandbox|demo)(/|\\?|$)";

const ours = [{ find: /^@\//, replacement: at("./src/") }];

/** The page's own scripts without what is said of them and without the room before their lines. */
function pageScripts(): Plugin {
  return {
    name: "page-scripts",
    apply: "build",
    transformIndexHtml: (html) =>
      html.replace(/<script>.*?<\/script>/gs, (script) =>
        script.replace(/^\s*\/\/.*\n/gm, "").replace(/\n\s+/g, "\n"),
      ),
  };
}

export default defineConfig({
  plugins: [react(), tailwindcss(), pageScripts(), screens(at("./"), ours), brotli()],
  resolve: {
    alias: ours,
  },
  build: {
    target: "es2022",
    // light-dark() as written; lowering it would double every colour.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The server's style policy allows no data: fonts or scripts; keep assets as files.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The client itself is there when it asks for a screen.
      resolveDependencies: (_, needed) => needed.filter((file) => !/\/(vendor|rolldown-runtime)-/.test(file)),
    },
    rolldownOptions: {
      // Texts go where they are used: else a module of them would stand whole in the first chunk that needs one.
      optimization: { inlineConst: { mode: "all" } },
      output: {
        // Each page's first script lists all names: a sign less of each shows.
        entryFileNames: "assets/[name]-[hash:6].js",
        chunkFileNames: "assets/[name]-[hash:6].js",
        // What every screen needs of other people's code, in one file: it compresses best together and
        // stays cached while ours changes.
        codeSplitting: {
          groups: [
            {
              name: "vendor",
              priority: 2,
              test: /rolldown\/runtime|node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@reduxjs|immer|redux|redux-thunk|reselect|react-redux|use-sync-external-store|@standard-schema)\//,
            },
            // All of ours that the first screen needs, in one file too.
            { name: "shell", priority: 1, test: /\/src\/main/ },
            // Small things that several screens use: one file is asked for sooner than a dozen.
            {
              name: "parts",
              test: /\/src\/(lib|api|texts|ui\/(LoadMore|useStableOrder|Badge|StableGrid))/,
              minShareCount: 3,
              includeDependenciesRecursively: false,
            },
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
