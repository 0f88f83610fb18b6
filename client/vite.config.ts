import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { brotli } from "./scripts/brotli.ts";

/** The address of a running server, to which `npm run dev` forwards API calls. */
const server = process.env.SECONDRING_SERVER ?? "http://localhost:8080";

const calls =
  "^/(identity|jwt|users|bookings?|orders|evidence|earnings|productCategory|allCategories|categories|products|reportedItems|reports|cases|decisions" +
  "|create-payment-intent|payments|waitlist|threads|offers|notifications|watches|searches|images|config|live|openapi\\.json|docs|healthz|readyz|sandbox|demo)(/|\\?|$)";

export default defineConfig({
  plugins: [react(), tailwindcss(), brotli()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    target: "es2022",
    // These browsers know light-dark(). For older ones, every colour would be written twice.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The server's content security policy forbids data: URLs of fonts and scripts.
    assetsInlineLimit: 0,
    // All these browsers know modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Libraries that every screen needs. If only our code changes, this file stays in the browser's cache.
        codeSplitting: {
          groups: [
            { name: "vendor", test: /node_modules\/(react|react-dom|react-router|@reduxjs|react-redux)\// },
            // Modules of the dashboard's screens, which are not the first screens of visitors.
            {
              name: "dashboard",
              test: /\/src\/(ui\/(Table|ListTable|TableSkeleton|Desk|TodoList)\.tsx|features\/admin\/|texts\/(cases|admin|auditTrail|keptTexts)\.ts)/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // What forms share, and no screen without one.
            {
              name: "forms",
              test: /\/src\/(lib\/(cleanText|dollars)|api\/(contact|useFormErrors)|ui\/(checkPhoneNumber|BuyerContactFields)|texts\/booking)\.tsx?/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // What the link to the messages needs, which is on each screen of a signed-in person.
            {
              name: "messagesLink",
              test: /\/src\/(features\/messages\/endpoints|texts\/messages)\.ts/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // The screens of messages.
            {
              name: "messages",
              test: /\/src\/(features\/messages\/|texts\/(messages|acceptedOffer)\.ts|lib\/contact\.ts)/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // Modules that many screens use, but neither Home nor Categories: forms, dialogs, long lists.
            {
              name: "later",
              test: /\/src\/ui\/(Breadcrumbs|ConfirmDialog|Countdown|Email|Field|RadioCard|ReadOnlyField|PasswordField|NewPasswordField|Dialog|DecisionText|EmailNotice|LoadMore|NextPage)\.tsx/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // Texts of cards, dialogs and the dashboard, which the first screen does not need.
            {
              name: "laterTexts",
              test: /\/src\/texts\/(waitlist|dates|decisions|emailNotice|promise|duration|condition)\.ts/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // Our modules that many screens use are one file, because over HTTP/1.1 a browser loads only six files at a time.
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
        // GET /categories is a screen and an API call. The header Accept shows which of them is requested.
        bypass: (request) => {
          const isScreen = request.headers.accept?.includes("text/html");
          return isScreen && request.url === "/categories" ? "/index.html" : undefined;
        },
      },
    },
  },
});
