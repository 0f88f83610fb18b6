import "@/styles/theme.css";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";
import { makeStore } from "@/app/store";
import { surviveForeignChanges } from "@/lib/foreignChanges";

surviveForeignChanges();

const root = document.getElementById("root");
if (root) {
  // A transition is rendered in short slices, so that the browser can paint and react in between.
  startTransition(() => {
    createRoot(root).render(
      <StrictMode>
        <App store={makeStore()} />
      </StrictMode>,
    );
  });
}
